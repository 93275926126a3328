#pragma once

#include <string>

#include "verification/gemm_case.hpp"

namespace tilewright::test {

/// Remembers how the test program was called.
void set_program(const char* path);

/// The one command that runs a single case again, as it ran here: on the same device, with the same driver settings.
std::string repeat_command(const verification::GemmCase& test);

}  // namespace tilewright::test
