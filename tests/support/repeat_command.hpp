#pragma once

#include <string>

namespace tilewright::test {

/// Stores the path by which the test program was called.
void set_program(const char* path);

/// The command that repeats a single case on the same device with the same driver settings. `variable` passes the
/// case's text to the test cases named `test_case`.
std::string repeat_command(const std::string& variable, const std::string& text, const std::string& test_case);

}  // namespace tilewright::test
