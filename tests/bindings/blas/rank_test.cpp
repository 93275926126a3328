// The choice among equal devices by MPI processes. CMakeLists.txt runs it with two devices of PoCL.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "bindings/blas/device.hpp"
#include "support/environment.hpp"

namespace tilewright::blas {

TEST_SUITE("BLAS devices") {
  TEST_CASE("MPI processes take equal devices in turn") {
    const Device best = pick_device();
    std::vector<std::string> equal;
    for (const Device& device : list_devices())
      if (device.platform == best.platform && device.profile.name == best.profile.name) equal.push_back(device.index());
    for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
      for (std::size_t rank = 0; rank < 5; ++rank) {
        CAPTURE(variable);
        const test::ScopedEnvironment environment(variable, std::to_string(rank));
        CHECK(choose_device().index() == equal[rank % equal.size()]);
      }
    const test::ScopedEnvironment rank("SLURM_LOCALID", "1");
    {
      const test::ScopedEnvironment named("TILEWRIGHT_DEVICE", best.index());
      CHECK(choose_device().index() == best.index());
    }
    const test::ScopedEnvironment other("OMPI_COMM_WORLD_LOCAL_RANK", "none");
    CHECK(choose_device().index() == equal[1 % equal.size()]);
  }
}

}  // namespace tilewright::blas
