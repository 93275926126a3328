// Operands of transpositions for the tuner.
#pragma once

#include <memory>

#include "tilewright/transpose.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

struct TransposeTunablePlan : TunablePlan {
  TransposeTunablePlan(const Engine& engine, const TransposeProblem& problem, const Choice& choice)
      : plan(engine, problem, choice) {}

  TransposePlan plan;
};

/// Makes data for B = op(A) on random bits, which must arrive unchanged, with all matrices of a batch. `problem` must
/// be normalized. Plans must be TransposeTunablePlan; a plan of another problem reads and writes out of bounds. Throws
/// cl::Error or std::bad_alloc if there is too little memory.
std::unique_ptr<TunableData> make_transpose_data(const Engine& engine, cl_command_queue queue,
                                                 const TransposeProblem& problem);

}  // namespace tilewright::tuning
