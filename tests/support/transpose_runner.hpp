#pragma once

#include <string>

#include "verification/transpose/transpose_case.hpp"

namespace tilewright::test {

/// Runs checked_transpose() on the device under test and counts it in the run's report. Returns a description of the
/// error with the command that repeats it; empty if the result is right.
std::string run_transpose_case(const verification::TransposeCase& test);

}  // namespace tilewright::test
