// The main function of every test program that needs a device. A run in which no kernel executed fails; its status is
// 77 if the device supports none of the tests.
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "support/device_under_test.hpp"
#include "support/progress.hpp"
#include "support/repeat_command.hpp"
#include "support/run_report.hpp"
#include "tilewright/error.hpp"
#include "verification/check_worker.hpp"

int main(int argc, char** argv) {
  using namespace tilewright;
  if (argc == 2 && std::string_view(argv[1]) == "--check-worker") return verification::serve_check();
  test::set_program(argv[0]);
  setenv("TILEWRIGHT_CACHE", "off", 0);  // cached programs would hide what this build compiles
  doctest::Context context;
  context.setOption("abort-after", 20);
  context.applyCommandLine(argc, argv);
  if (context.shouldExit()) return context.run();  // --help, --list-test-cases

  try {
    const DeviceProfile& profile = test::device_under_test().profile;
    std::cout << "device: " << profile.name << ", " << profile.platform_name << ", driver " << profile.driver_version
              << std::endl;
  } catch (const Error& error) {
    std::cout << error.what() << std::endl;
    return 1;
  }
  const int status = context.run();
  if (context.shouldExit()) return status;
  if (!test::print_run_report()) {
    constexpr int skipped = 77;
    if (status == 0 && test::was_anything_skipped()) return skipped;
    std::cout << "no kernel ran: this run proves nothing" << std::endl;
    return 1;
  }
  return status;
}
