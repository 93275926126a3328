// Transpositions as problems of the tuner.
#pragma once

#include "transpose/problem_json.hpp"
#include "transpose/variant.hpp"
#include "tuning/operations/variant_tunable.hpp"

namespace tilewright::tuning {

extern const Operation transpose_operation;

/// Returns a transposition as a problem of the tuner, in row-major form. Throws the errors of TransposePlan's
/// constructor.
Problem tunable(const TransposeProblem& problem);

}  // namespace tilewright::tuning
