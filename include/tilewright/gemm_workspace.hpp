// What device memory a product would take beside its operands.
#pragma once

#include <cstdint>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

/// What GemmPlan::workspace_bytes() of a plan with these arguments would be, with the images that it would make;
/// compiles nothing, but may probe the device. A plan whose kernel turns out to need too many registers takes another
/// configuration, and so may differ. Throws what GemmPlan's constructor throws for a problem or a choice that cannot be
/// done.
TILEWRIGHT_API std::uint64_t gemm_workspace_bytes(const Engine& engine, const GemmProblem& problem,
                                                  const Choice& choice = {});

}  // namespace tilewright
