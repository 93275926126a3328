#pragma once

#include <string>

#include "support/gemm_case.hpp"

namespace tilewright::test {

/// Runs a case twice on the device under test, in buffers whose every other byte is poisoned, and checks
///   - every element against the reference's error bound, or to the bit where the data make sums exact,
///   - that nothing outside C changed, and nothing in A and B,
///   - that what must not be read was not: C is NaN where beta = 0, A and B are NaN where alpha = 0,
///   - that the second run gave the same bits.
/// Returns what is wrong and the command that repeats it, or an empty string.
std::string run_gemm_case(const GemmCase& test);

}  // namespace tilewright::test
