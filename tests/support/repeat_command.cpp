#include "support/repeat_command.hpp"

#include <unistd.h>

#include <string_view>

#include "support/device_under_test.hpp"

namespace tilewright::test {
namespace {

std::string& program() {
  static std::string path = "tilewright_device_tests";
  return path;
}

std::string assignment(const std::string& name, const std::string& value) { return name + "='" + value + "' "; }

}  // namespace

void set_program(const char* path) { program() = path; }

std::string repeat_command(const verification::GemmCase& test) {
  std::string command;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::string name(variable.substr(0, variable.find('=')));
    for (const std::string_view prefix : {"POCL_", "OCL_", "OCLGRIND_", "RUSTICL_", "TILEWRIGHT_KERNEL_DIR"})
      if (name.starts_with(prefix)) command += assignment(name, std::string(variable.substr(name.size() + 1)));
  }
  return command + assignment("TILEWRIGHT_DEVICE", device_under_test().index()) +
         assignment("TILEWRIGHT_TEST_CASE", to_string(test)) + program() + " --test-case='one case*'";
}

}  // namespace tilewright::test
