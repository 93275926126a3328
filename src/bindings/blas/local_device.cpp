#include "bindings/blas/local_device.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/system/user_directory.hpp"

namespace tilewright::blas {
namespace {

// The number at the start of the first variable that begins with one. SLURM writes "4(x2)" for 4 tasks on each of 2
// nodes.
std::optional<std::size_t> number_in(std::initializer_list<const char*> variables) {
  for (const char* const name : variables) {
    const std::string value = detail::trusted_environment(name);
    std::size_t number = 0;
    if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc()) return number;
  }
  return std::nullopt;
}

// Variables of Open MPI, Intel MPI and MPICH, MVAPICH, SLURM, PALS, Flux and Jsrun.
std::optional<std::size_t> local_rank() {
  return number_in({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID",
                    "PALS_LOCAL_RANKID", "FLUX_TASK_LOCAL_ID", "JSM_NAMESPACE_LOCAL_RANK"});
}

std::size_t local_processes(std::size_t rank) {
  const auto count =
      number_in({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE",
                 "SLURM_TASKS_PER_NODE", "PALS_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_SIZE"});
  // A variable may be missing, or belong to a job inside which this process started others.
  return std::max<std::size_t>(count.value_or(1), rank + 1);
}

bool is_index(const std::string& name) {
  return name.find(':') != std::string::npos && name.find_first_not_of("0123456789:") == std::string::npos;
}

}  // namespace

LocalDevice choose_device() {
  const Device best = pick_device();
  const std::optional<std::size_t> rank = local_rank();
  if (!rank) return {best};
  const std::size_t processes = local_processes(*rank);
  if (is_index(detail::trusted_environment("TILEWRIGHT_DEVICE"))) return {best, processes};
  // Devices that are equal to the best one also match a name.
  std::vector<Device> equal;
  for (Device& device : list_devices())
    if (device.platform == best.platform && device.profile.name == best.profile.name)
      equal.push_back(std::move(device));
  if (equal.empty()) return {best, processes};
  return {equal[*rank % equal.size()], (processes + equal.size() - 1) / equal.size()};
}

}  // namespace tilewright::blas
