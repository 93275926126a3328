#pragma once

#include <string>

#include "verification/gemm/gemm_case.hpp"

namespace tilewright::test {

using verification::GemmCase;
using verification::Memory;

/// Runs verification::try_gemm_case() on the device under test and counts it in the run's report. Returns a description
/// of the error with the command that repeats it; empty if the result is right.
std::string run_gemm_case(const GemmCase& test);

}  // namespace tilewright::test
