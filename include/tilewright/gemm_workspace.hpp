// The device memory that a product would take beside its operands.
#pragma once

#include <cstdint>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

/// Bytes of device memory that a plan takes beside its operands.
struct GemmMemory {
  std::uint64_t shared = 0;  ///< GemmPlan::workspace_bytes(): all plans of an engine take turns with the largest one
  std::uint64_t zeros = 0;   ///< in a buffer of zeros that all plans of an engine share
  std::uint64_t own = 0;     ///< in images of this plan alone
};

/// The memory of a plan with these arguments; compiles nothing, but may probe the device. A plan whose kernel turns out
/// to need too many registers takes another configuration, and so may differ. Throws what GemmPlan's constructor throws
/// for a problem or a choice that cannot be done.
TILEWRIGHT_API GemmMemory gemm_memory(const Engine& engine, const GemmProblem& problem, const Choice& choice = {});

/// GemmMemory::shared and ::own together. Throws what gemm_memory() throws.
TILEWRIGHT_API std::uint64_t gemm_workspace_bytes(const Engine& engine, const GemmProblem& problem,
                                                  const Choice& choice = {});

}  // namespace tilewright
