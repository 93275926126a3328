#pragma once

#include "transpose/problem_json.hpp"
#include "transpose/variant.hpp"
#include "tuning/operations/variant_tunable.hpp"

namespace tilewright::tuning {

extern const Operation transpose_operation;

/// A transposition as the tuner takes it, in its row-major form. Throws what TransposePlan's constructor throws for a
/// problem.
Problem tunable(const TransposeProblem& problem);

}  // namespace tilewright::tuning
