#pragma once

#include <string>

#include "session.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {

/// What a call on a large product will take, told from calls on smaller ones.
struct Estimate {
  bool affordable = false;
  double seconds = 0;             ///< what the call that was not made would have taken
  GemmProblem problem;            ///< the product of that call, not larger than the asked one
  double first_call_seconds = 0;  ///< spent on the first small call, compiling included
};

/// Doubles a small product's sizes until the asked one's time can be told to be within the budget, or the next step
/// would not be. Time is taken to grow with the operations. That is too much while a device is not full yet, and too
/// little once operands leave the caches, which is why it goes step by step. Throws what GemmPlan throws.
Estimate estimate_call(const Session& session, const GemmProblem& problem, const Choice& choice, double budget_seconds);

}  // namespace tilewright::tool
