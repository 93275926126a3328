#pragma once

#include <string>

#include "session.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::tool {

/// Predicted time of a call on a large product, from calls on smaller products.
struct Estimate {
  bool affordable = false;
  double seconds = 0;             ///< predicted time of the call on `problem`, which was not made
  GemmProblem problem;            ///< that call's product; at most as large as the requested one
  double first_call_seconds = 0;  ///< time of the first, smallest call, including compilation
};

/// Predicts the time of a call. Doubles the sizes of a small product until the prediction for the requested one is
/// within the budget, or until the next step would exceed it. The model scales time with the operation count. It
/// overestimates while the device is not full, and underestimates once operands leave the caches. The steps limit both
/// errors. Throws GemmPlan's errors.
Estimate estimate_call(const Session& session, const GemmProblem& problem, const Choice& choice, double budget_seconds);

}  // namespace tilewright::tool
