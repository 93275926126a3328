// Products as problems of the tuner.
#pragma once

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "tuning/operations/variant_tunable.hpp"

namespace tilewright::tuning {

extern const Operation gemm_operation;

/// Returns a product as a problem of the tuner: in row-major form, a complex product as the real one that computes it.
/// Throws the errors of GemmPlan's constructor.
Problem tunable(const GemmProblem& problem);

}  // namespace tilewright::tuning
