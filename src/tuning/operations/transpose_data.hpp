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

/// B = op(A) on random bits, which must arrive as they are; all matrices of a batch. Its plans are
/// TransposeTunablePlan; one of another problem reads and writes out of bounds.
/// Of a normalized problem. Throws cl::Error or std::bad_alloc where there is too little memory.
std::unique_ptr<TunableData> make_transpose_data(const Engine& engine, cl_command_queue queue,
                                                 const TransposeProblem& problem);

}  // namespace tilewright::tuning
