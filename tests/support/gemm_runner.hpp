#pragma once

#include <string>

#include "verification/gemm/gemm_case.hpp"

namespace tilewright::test {

using verification::GemmCase;
using verification::Memory;

/// verification::try_gemm_case() on the device under test, counted in the run's report.
/// Returns what is wrong and the command that repeats it, or an empty string.
std::string run_gemm_case(const GemmCase& test);

}  // namespace tilewright::test
