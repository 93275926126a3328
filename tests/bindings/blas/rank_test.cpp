// The choice among equal devices by MPI processes. With PoCL, CMakeLists.txt makes two devices.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings/blas/device.hpp"
#include "support/environment.hpp"

namespace tilewright::blas {
namespace {

// A name that selects the device among all others; empty if there is none. An index would forbid equal devices.
std::string name_of(const Device& device) {
  for (const std::string& name : {device.profile.name, device.profile.platform_name})
    if (pick_device(name).index() == device.index()) return name;
  return {};
}

std::vector<std::string> indices_of_equals(const Device& device) {
  std::vector<std::string> equal;
  for (const Device& other : list_devices())
    if (other.platform == device.platform && other.profile.name == device.profile.name) equal.push_back(other.index());
  return equal;
}

}  // namespace

TEST_SUITE("BLAS devices") {
  TEST_CASE("MPI processes take equal devices in turn") {
    const Device best = pick_device();
    const test::ScopedEnvironment name("TILEWRIGHT_DEVICE", name_of(best));
    const std::vector<std::string> equal = indices_of_equals(best);
    const test::ScopedEnvironment tasks("SLURM_STEP_TASKS_PER_NODE", "8");
    for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "PALS_LOCAL_RANKID",
                                 "FLUX_TASK_LOCAL_ID", "JSM_NAMESPACE_LOCAL_RANK"})
      for (std::size_t rank = 0; rank < 5; ++rank) {
        CAPTURE(variable);
        const test::ScopedEnvironment environment(variable, std::to_string(rank));
        CHECK(choose_device().device.index() == equal[rank % equal.size()]);
      }
    const test::ScopedEnvironment rank("SLURM_LOCALID", "1");
    {
      const test::ScopedEnvironment named("TILEWRIGHT_DEVICE", best.index());
      CHECK(choose_device().device.index() == best.index());
    }
    const test::ScopedEnvironment other("OMPI_COMM_WORLD_LOCAL_RANK", "none");
    CHECK(choose_device().device.index() == equal[1 % equal.size()]);
  }

  TEST_CASE("processes that share a device share its memory") {
    const Device best = pick_device();
    const test::ScopedEnvironment name("TILEWRIGHT_DEVICE", name_of(best));
    const std::size_t devices = indices_of_equals(best).size();
    const auto memory_of = [](const Settings& settings) {
      KeptMemory kept;
      return BlasDevice(choose_device(), settings, kept).memory();
    };
    const auto sharers_of = [&](std::size_t processes) { return (processes + devices - 1) / devices; };
    const std::uint64_t whole = memory_of({});
    Settings limited;
    limited.memory = 12345;
    const test::ScopedEnvironment rank("SLURM_LOCALID", "0"), others("SLURM_NTASKS_PER_NODE", "4");
    CHECK(choose_device().processes == 1);  // a batch script
    for (const auto& [count, number] :
         std::vector<std::pair<const char*, std::size_t>>{{"1", 1}, {"2", 2}, {"4(x2)", 4}, {"7", 7}}) {
      const test::ScopedEnvironment tasks("SLURM_STEP_TASKS_PER_NODE", count);
      const std::size_t sharers = sharers_of(number);
      CHECK(choose_device().processes == sharers);
      CHECK(memory_of({}) == whole / sharers);
      CHECK(memory_of(limited) == 12345);
    }
    const test::ScopedEnvironment tasks("SLURM_STEP_TASKS_PER_NODE", "2(x3),9,4(x2)");
    for (const auto& [node, number] : std::vector<std::pair<const char*, std::size_t>>{
             {"0", 2}, {"2", 2}, {"3", 9}, {"4", 4}, {"5", 4}, {"6", 1}, {"-1", 2}}) {
      const test::ScopedEnvironment here("SLURM_NODEID", node);
      CHECK(choose_device().processes == sharers_of(number));
    }
    for (const char* const damaged : {"", ",", "x", "4(x", "4(x)", "(x2)4", "4(x0)"}) {
      CAPTURE(damaged);
      const test::ScopedEnvironment list("SLURM_STEP_TASKS_PER_NODE", damaged);
      CHECK(choose_device().processes == 1);
    }
    const test::ScopedEnvironment last("OMPI_COMM_WORLD_LOCAL_RANK", "5");  // its count is not known
    CHECK(choose_device().processes == sharers_of(6));
    const test::ScopedEnvironment one("TILEWRIGHT_DEVICE", "0:0");
    CHECK(choose_device().processes == 6);
  }

  TEST_CASE("processes of Flux share the memory of their node") {
    const test::ScopedEnvironment one("TILEWRIGHT_DEVICE", "0:0"), rank("FLUX_TASK_LOCAL_ID", "1");
    CHECK(choose_device().processes == 2);
    const test::ScopedEnvironment size("FLUX_JOB_SIZE", "7");
    CHECK(choose_device().processes == 7);
    for (const auto& [nodes, number] :
         std::vector<std::pair<const char*, std::size_t>>{{"1", 7}, {"2", 4}, {"7", 2}, {"0", 7}}) {
      const test::ScopedEnvironment count("FLUX_JOB_NNODES", nodes);
      CHECK(choose_device().processes == number);
    }
  }

  TEST_CASE("absurd ranks and counts are limited") {
    const test::ScopedEnvironment one("TILEWRIGHT_DEVICE", "0:0");
    for (const char* const number : {"18446744073709551615", "99999999999999999999999", "1048577"}) {
      CAPTURE(number);
      const test::ScopedEnvironment rank("OMPI_COMM_WORLD_LOCAL_RANK", "0"), size("OMPI_COMM_WORLD_LOCAL_SIZE", number);
      CHECK(choose_device().processes == std::size_t{1} << 20);
      const test::ScopedEnvironment far("OMPI_COMM_WORLD_LOCAL_RANK", number), few("OMPI_COMM_WORLD_LOCAL_SIZE", "1");
      CHECK(choose_device().processes == (std::size_t{1} << 20) + 1);
    }
    const test::ScopedEnvironment rank("OMPI_COMM_WORLD_LOCAL_RANK", "0"), size("OMPI_COMM_WORLD_LOCAL_SIZE", "-1");
    CHECK(choose_device().processes == 1);
  }
}

}  // namespace tilewright::blas
