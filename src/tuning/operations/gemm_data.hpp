// Operands of products for the tuner.
#pragma once

#include <memory>

#include "tilewright/gemm.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

struct GemmTunablePlan : TunablePlan {
  GemmTunablePlan(const Engine& engine, const GemmProblem& problem, const Choice& choice)
      : plan(engine, problem, choice) {}

  GemmPlan plan;
};

/// Makes data for C = A B: random matrices for timing, and small integers, whose sums are exact, for the check.
/// Includes all products of a batch with strides. `problem` must be normalized. Plans must be GemmTunablePlan; a plan
/// of another problem reads and writes out of bounds. Throws cl::Error or std::bad_alloc if there is too little memory.
std::unique_ptr<TunableData> make_gemm_data(const Engine& engine, cl_command_queue queue, const GemmProblem& problem);

}  // namespace tilewright::tuning
