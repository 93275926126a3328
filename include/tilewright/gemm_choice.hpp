// The variants of general matrix products, and which of them gemm() runs.
#pragma once

#include <string_view>
#include <vector>

#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright {

/// Lists all variants, from the simplest to the fastest.
[[nodiscard]] TILEWRIGHT_API std::vector<VariantInfo> gemm_variants();

/// Reports whether a variant can compute a problem on a device. Throws Error(unknown_variant), and what GemmPlan's
/// constructor throws for an invalid problem.
[[nodiscard]] TILEWRIGHT_API Support gemm_support(const DeviceProfile& device, std::string_view variant,
                                                  const GemmProblem& problem);

/// Explains which variant and configuration gemm() would run, and why. Compiles nothing. Throws what GemmPlan's
/// constructor throws for an invalid problem or choice.
[[nodiscard]] TILEWRIGHT_API Explanation explain_gemm(const DeviceProfile& device, const GemmProblem& problem,
                                                      const Choice& choice = {});

}  // namespace tilewright
