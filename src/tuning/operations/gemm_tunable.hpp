#pragma once

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "tuning/operations/variant_tunable.hpp"

namespace tilewright::tuning {

extern const Operation gemm_operation;

/// A product as the tuner takes it, in its row-major form, a complex one as the real one that does it. Throws what
/// GemmPlan's constructor throws for a problem.
Problem tunable(const GemmProblem& problem);

}  // namespace tilewright::tuning
