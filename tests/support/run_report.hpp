#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "tilewright/gemm.hpp"

namespace tilewright::test {

/// Notes that a plan's kernels ran to their end on the device.
void count_kernel(const GemmPlan& plan);
/// The same for a plan that this text tells from others.
void count_kernel_of(const std::string& plan);

/// The same of kernels that ran elsewhere, by name, configuration and form.
void count_kernels(const std::set<std::string>& kernels);

/// Notes that a result was compared with what it should be.
void count_cases(std::size_t count = 1);

/// Notes what could not be tested on this device, and why.
void count_skip(const std::string& what, const std::string& reason);

/// Prints what ran: "kernels executed: N, cases: M" and a line for everything skipped.
/// Kernels are counted once per variant, configuration, type, layout and transposes. Returns false where there was
/// none.
bool print_run_report();

}  // namespace tilewright::test
