#pragma once

#include <string>

#include "tilewright/gemm.hpp"

namespace tilewright::test {

/// Notes that a plan's kernels ran to their end on the device.
void count_kernel(const GemmPlan& plan);

/// Notes that a result was compared with what it should be.
void count_case();

/// Notes what could not be tested on this device, and why.
void count_skip(const std::string& what, const std::string& reason);

/// Prints what ran: "kernels executed: N, cases: M" and a line for everything skipped.
/// Kernels are counted once per variant, configuration, type, layout and transposes. Returns false where there was
/// none.
bool print_run_report();

}  // namespace tilewright::test
