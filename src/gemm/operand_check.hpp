#pragma once

#include "gemm/problem.hpp"
#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// What a call reads of its operands; A or B that it does not read may be null.
struct OperandsRead {
  bool a = false;  ///< of the normalized problem
  bool b = false;
  bool c = false;
};

/// What the operands of one call must fit.
struct OperandRules {
  const cl::Context& context;
  const GemmProblem& problem;  ///< normalized
  Layout layout;               ///< the caller's
  OperandsRead reads;
  bool new_offsets;  ///< others were checked before, among themselves
  std::uint64_t workspace_bytes;
};

/// Checks that there are as many offsets as products, where the problem's batch is by offsets.
void check_offset_counts(const GemmProblem& problem, Layout layout, const GemmOffsets& offsets);

/// Checks the operands of one call of a normalized problem: A, B and C in the caller's order, those of the epilogue,
/// then whether they share elements, then the workspace, if one is lent.
void check_operands(const OperandRules& rules, const GemmOperands& operands);

/// Checks one matrix of a normalized problem alone, whose batch is not by offsets, to be read.
void check_input(const cl::Context& context, const GemmProblem& problem, Layout layout, const MatrixRef& ref,
                 const NamedMatrix& named);

}  // namespace tilewright::detail
