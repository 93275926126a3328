// Operands of sparse products for the tuner.
#pragma once

#include <memory>

#include "runtime/device/opencl.hpp"
#include "tuning/operations/spmm_tunable.hpp"

namespace tilewright::tuning {

/// The structure of a sparse matrix on a device.
class SpmmStructure {
 public:
  SpmmStructure(const Engine& engine, const SparsePlaces& places);

  SparseStructure structure() const {
    return {.offsets = {offsets_()}, .columns = {columns_()}, .check = StructureCheck::none};
  }

 private:
  cl::Buffer offsets_, columns_;
};

struct SpmmTunablePlan : TunablePlan {
  SpmmTunablePlan(const Engine& engine, const SpmmProblem& problem, const SparsePlaces& places, const Choice& choice);

  SpmmPlan plan;
};

/// Makes data for C = A B on small integers, whose sums are exact. The time of spmm's kernels does not depend on
/// values. `places` must outlive the data. Plans must be SpmmTunablePlan; a plan of another problem reads and writes
/// out of bounds. Throws cl::Error or std::bad_alloc if there is too little memory.
std::unique_ptr<TunableData> make_spmm_data(const Engine& engine, cl_command_queue queue, const SpmmProblem& problem,
                                            const SparsePlaces& places);

}  // namespace tilewright::tuning
