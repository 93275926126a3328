#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace tilewright {
class GemmPlan;
}

namespace tilewright::test {

/// Records that a plan's kernels finished on the device.
void count_kernel(const GemmPlan& plan);
/// Records that the kernels of the plan identified by this text finished on the device.
void count_kernel_of(const std::string& plan);

/// Records kernels that ran in another process, by name, configuration and form.
void count_kernels(const std::set<std::string>& kernels);

/// Records that a result was compared with its reference.
void count_cases(std::size_t count = 1);

/// Records a test that this device does not support, and the reason.
void count_skip(const std::string& what, const std::string& reason);

/// Prints "kernels executed: N, cases: M" and a line for everything skipped. Kernels are counted once per variant,
/// configuration, type, layout and transposes. Returns false if no kernel ran.
bool print_run_report();

/// Whether a test was skipped because the device does not support it.
bool was_anything_skipped();

}  // namespace tilewright::test
