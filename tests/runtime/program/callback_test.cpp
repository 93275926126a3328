// Callbacks of the application that call the library.
#include <doctest/doctest.h>

#include <string>

#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/run_report.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {

TEST_SUITE("callbacks") {
  TEST_CASE("a callback may use the library and the engine that called it") {
    for (const std::string which : {"debug_same", "debug_other", "debug_endless", "probe", "load", "load_endless",
                                    "store", "store_endless", "log", "kernel_directory", "two_threads"}) {
      CAPTURE(which);
      const TemporaryDirectory place;
      const ScopedEnvironment data("TILEWRIGHT_DATA_DIR", place.file("data"));
      const ScopedEnvironment kernels("TILEWRIGHT_KERNEL_DIR", which == "kernel_directory"
                                                                   ? std::optional<std::string>(TILEWRIGHT_TEST_KERNELS)
                                                                   : std::nullopt);
      ChildProcess worker({TILEWRIGHT_PROCESS_WORKER, "callback", which}, place.file("words"));
      CHECK_MESSAGE(worker.wait() == 0, place.read("words"));
      count_cases();
    }
  }
}

}  // namespace tilewright::test
