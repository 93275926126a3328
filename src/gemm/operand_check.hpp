#pragma once

#include "gemm/problem.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// The operands that a call reads. A and B may be null if they are not read.
struct OperandsRead {
  bool a = false;  ///< A of the normalized problem
  bool b = false;
  bool c = false;
};

/// Requirements on the operands of one call.
struct OperandRules {
  const cl::Context& context;
  const GemmProblem& problem;  ///< normalized
  Layout layout;               ///< the caller's
  OperandsRead reads;
  bool new_offsets;  ///< the offsets must be checked; false: they were checked in an earlier call
  std::uint64_t workspace_bytes;
  bool in_place = false;  ///< C may replace B
};

/// Checks that a batch by offsets has as many offsets as products.
void check_offset_counts(const GemmProblem& problem, Layout layout, const GemmOffsets& offsets);

/// Checks the operands of one call of a normalized problem: A, B and C in the caller's order, then the epilogue's
/// operands, then overlaps, then the lent workspace, if any.
void check_operands(const OperandRules& rules, const GemmOperands& operands);

/// Checks a single input matrix of a normalized problem whose batch is not by offsets.
void check_input(const cl::Context& context, const GemmProblem& problem, Layout layout, const MatrixRef& ref,
                 const NamedMatrix& named);

}  // namespace tilewright::detail
