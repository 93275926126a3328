#pragma once

#include <span>
#include <vector>

#include "gemm/scalar_runs.hpp"
#include "gemm/variant.hpp"
#include "runtime/opencl.hpp"

namespace tilewright::detail {

/// What the calls of a plan have in common.
struct FixedValues {
  GemmProblem problem;             ///< normalized
  cl_mem batch_offsets = nullptr;  ///< where the batch is by offsets
};

/// What one call sets; k is 0 where A and B are not read.
struct CallValues {
  std::uint64_t k = 0;
  double alpha = 0;
  double beta = 0;
  MatrixRef a{}, b{}, c{};
  std::vector<MatrixRef> workspaces{};
  std::span<const ScalarRun>
      runs{};  ///< products with scalars of their own, in launches of their own; none: all at once
};

/// Sets the arguments that no call changes.
void set_fixed_arguments(cl_kernel kernel, const Pass& pass, const FixedValues& values);

/// Sets the others.
void set_call_arguments(cl_kernel kernel, const Pass& pass, const FixedValues& fixed, const CallValues& call);

}  // namespace tilewright::detail
