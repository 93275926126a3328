#include "bindings/blas/local_device.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/system/user_directory.hpp"

namespace tilewright::blas {
namespace {

// No machine has more processes. Larger numbers are taken for this one.
constexpr std::size_t max_processes = std::size_t{1} << 20;

// Returns the number at the start of a text; empty if there is none.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end == text.data()) return std::nullopt;
  return error == std::errc() ? std::min(number, max_processes) : max_processes;
}

std::optional<std::size_t> number_of(const char* variable) { return number_in(detail::trusted_environment(variable)); }

// Returns the entry of one node in SLURM's lists: "2(x3),1" says 2 for the first three nodes and 1 for the fourth.
std::optional<std::size_t> entry_of(std::string_view list, std::size_t node) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    const std::optional<std::size_t> number = number_in(part);
    if (!number) return std::nullopt;
    const std::size_t times = part.find("(x");
    const std::size_t nodes = times == std::string_view::npos ? 1 : number_in(part.substr(times + 2)).value_or(0);
    if (node < nodes) return number;
    node -= nodes;
    list.remove_prefix(std::min(part.size() + 1, list.size()));
  }
  return std::nullopt;
}

// The place of this process among those that one launcher started on the machine.
struct Place {
  std::size_t rank = 0, processes = 1;
};

// A batch script has the variables of its job, including SLURM_LOCALID, although it is a single process. Only srun sets
// those of a step.
std::optional<Place> place_of_slurm() {
  const auto rank = number_of("SLURM_LOCALID");
  const auto processes =
      entry_of(detail::trusted_environment("SLURM_STEP_TASKS_PER_NODE"), number_of("SLURM_NODEID").value_or(0));
  if (!rank || !processes) return std::nullopt;
  return Place{*rank, *processes};
}

// Flux tells how many processes and nodes there are. It gives the nodes equal shares, up to one process.
std::optional<Place> place_of_flux() {
  const auto rank = number_of("FLUX_TASK_LOCAL_ID");
  if (!rank) return std::nullopt;
  const std::size_t nodes = std::max<std::size_t>(1, number_of("FLUX_JOB_NNODES").value_or(1));
  return Place{*rank, (number_of("FLUX_JOB_SIZE").value_or(1) + nodes - 1) / nodes};
}

std::optional<Place> place_of_process() {
  struct Launcher {
    const char *rank, *processes;
  };
  // Open MPI, Intel MPI and MPICH, MVAPICH.
  constexpr Launcher mpi[]{{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                           {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
                           {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"}};
  // PALS and Jsrun.
  constexpr Launcher batch[]{{"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
                             {"JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE"}};
  const auto first_of = [](std::span<const Launcher> launchers) -> std::optional<Place> {
    for (const Launcher& launcher : launchers)
      if (const auto rank = number_of(launcher.rank)) return Place{*rank, number_of(launcher.processes).value_or(1)};
    return std::nullopt;
  };
  // MPI's own variables first: its processes may run inside a job of a batch system.
  std::optional<Place> place = first_of(mpi);
  if (!place) place = place_of_slurm();
  if (!place) place = place_of_flux();
  if (!place) place = first_of(batch);
  // The count may be missing.
  if (place) place->processes = std::max(place->processes, place->rank + 1);
  return place;
}

bool is_index(const std::string& name) {
  return name.find(':') != std::string::npos && name.find_first_not_of("0123456789:") == std::string::npos;
}

}  // namespace

LocalDevice choose_device() {
  const Device best = pick_device();
  const std::optional<Place> place = place_of_process();
  if (!place) return {best};
  const std::size_t processes = place->processes;
  if (is_index(detail::trusted_environment("TILEWRIGHT_DEVICE"))) return {best, processes};
  // Devices that are equal to the best one also match a name.
  std::vector<Device> equal;
  for (Device& device : list_devices())
    if (device.platform == best.platform && device.profile.name == best.profile.name)
      equal.push_back(std::move(device));
  if (equal.empty()) return {best, processes};
  return {equal[place->rank % equal.size()], (processes + equal.size() - 1) / equal.size()};
}

}  // namespace tilewright::blas
