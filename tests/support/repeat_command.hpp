#pragma once

#include <string>

namespace tilewright::test {

/// Remembers how the test program was called.
void set_program(const char* path);

/// The one command that runs a single case again, as it ran here, on the same device and with the same driver settings:
/// `variable` hands the case's text to the test cases of a name.
std::string repeat_command(const std::string& variable, const std::string& text, const std::string& test_case);

}  // namespace tilewright::test
