#pragma once

#include <memory>

#include "runtime/device/opencl.hpp"
#include "tuning/operations/spmm_tunable.hpp"

namespace tilewright::tuning {

/// A product's structure on a device.
class SpmmStructure {
 public:
  SpmmStructure(const Engine& engine, const SparsePlaces& places);

  SparseStructure structure() const { return {.offsets = {offsets_()}, .columns = {columns_()}}; }

 private:
  cl::Buffer offsets_, columns_;
};

struct SpmmTunablePlan : TunablePlan {
  SpmmTunablePlan(const Engine& engine, const SpmmProblem& problem, const SparsePlaces& places, const Choice& choice);

  SpmmPlan plan;
};

/// C = A B on small integers, whose sums are exact; no kernel of spmm's takes other times for other numbers. Its plans
/// are SpmmTunablePlan; one of another problem reads and writes out of bounds. The places must outlive it.
/// Throws cl::Error or std::bad_alloc where there is too little memory.
std::unique_ptr<TunableData> make_spmm_data(const Engine& engine, cl_command_queue queue, const SpmmProblem& problem,
                                            const SparsePlaces& places);

}  // namespace tilewright::tuning
