#pragma once

#include <string>

#include "verification/transpose/transpose_case.hpp"

namespace tilewright::test {

/// checked_transpose()'s run on the device under test, counted in the run's report.
/// Returns what is wrong and the command that repeats it, or an empty string.
std::string run_transpose_case(const verification::TransposeCase& test);

}  // namespace tilewright::test
