// Device memory that a product needs besides its operands, for programs that must keep to a memory budget.
#pragma once

#include <cstdint>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright {

/// Bytes of device memory that a GemmPlan takes besides its operands.
struct GemmMemory {
  std::uint64_t shared = 0;  ///< GemmPlan::workspace_bytes(); all plans of an engine share the largest such workspace
  std::uint64_t zeros = 0;   ///< in a buffer of zeros that all plans of an engine share
  std::uint64_t own = 0;     ///< in images that belong to the plan alone
};

/// Returns the device memory that a plan with these arguments would take. Compiles nothing, but may probe the device.
/// The plan may differ if its kernel turns out to need too many registers, because it then uses another configuration.
/// Out-of-core products plan their tiles with this function. Throws what GemmPlan's constructor throws for an invalid
/// problem or choice.
[[nodiscard]] TILEWRIGHT_API GemmMemory gemm_memory(const Engine& engine, const GemmProblem& problem,
                                                    const Choice& choice = {});

}  // namespace tilewright
