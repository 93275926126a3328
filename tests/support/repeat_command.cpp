#include "support/repeat_command.hpp"

#include "support/device_under_test.hpp"
#include "verification/check/repeat.hpp"

namespace tilewright::test {
namespace {

std::string& program() {
  static std::string path = "tilewright_device_tests";
  return path;
}

}  // namespace

void set_program(const char* path) { program() = path; }

std::string repeat_command(const std::string& variable, const std::string& text, const std::string& test_case) {
  using verification::in_shell_quotes;
  return verification::driver_settings() + "TILEWRIGHT_DEVICE=" + in_shell_quotes(device_under_test().index()) + ' ' +
         variable + '=' + in_shell_quotes(text) + ' ' + program() + " --test-case=" + in_shell_quotes(test_case);
}

}  // namespace tilewright::test
