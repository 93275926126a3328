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

/// C = A B on random matrices for the timing, and on small integers, whose sums are exact, for the check; all products
/// of a batch with strides. Its plans are GemmTunablePlan; one of another problem reads and writes out of bounds.
/// Of a normalized problem. Throws cl::Error or std::bad_alloc where there is too little memory.
std::unique_ptr<TunableData> make_gemm_data(const Engine& engine, cl_command_queue queue, const GemmProblem& problem);

}  // namespace tilewright::tuning
