// The common form of problems with a triangular A on one side of B, which the result overwrites, and their checks.
#pragma once

#include <cstdint>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/operands/row_major.hpp"

namespace tilewright::detail {

/// A row-major problem with all sizes checked and both leading dimensions filled in. T is op(A) for Side::left, and
/// op(A)^T for Side::right.
template <class Problem>
struct TriangleForm {
  Problem problem{};
  Layout layout{};                                  ///< layout of the caller's matrices
  std::uint64_t order = 0;                          ///< rows of T
  bool is_upper = false;                            ///< T is upper triangular
  std::uint64_t t_row_step = 0, t_column_step = 0;  ///< elements between consecutive rows and columns of T

  bool empty() const { return problem.m == 0 || problem.n == 0 || problem.batch.count == 0; }
  bool is_left() const { return problem.side == Side::left; }
  StoredMatrix stored_a() const { return {order, order, problem.lda}; }
  StoredMatrix stored_b() const { return {problem.m, problem.n, problem.ldb}; }
};

inline constexpr OperandLabel triangle_label{"A", OperandName::a}, triangle_label_b{"B", OperandName::b};

/// Brings a problem into this form. The caller has checked its type.
/// Throws Error(invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands, invalid_offset).
template <class Problem>
TriangleForm<Problem> triangle_form(const Problem& problem) {
  TriangleForm<Problem> form{.problem = problem, .layout = problem.layout};
  Problem& p = form.problem;
  make_row_major(p);  // with A^T stored instead of A, the same `trans` applies: op(A)^T = op(A^T)
  if (p.trans == Transpose::conjugate_transpose && !is_complex(p.type)) p.trans = Transpose::yes;
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_b});
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  form.order = form.is_left() ? p.m : p.n;
  p.lda = completed_ld(triangle_label, form.order, p.lda);
  p.ldb = completed_ld(triangle_label_b, p.n, p.ldb);
  const std::size_t element = size_of(p.type);
  check_extent(triangle_label, form.stored_a(), form.layout, element);
  check_extent(triangle_label_b, form.stored_b(), form.layout, element);
  check_batch_extent(triangle_label, form.stored_a(), p.batch.stride_a, p.batch.count, element);
  check_batch_extent(triangle_label_b, form.stored_b(), p.batch.stride_b, p.batch.count, element);
  check_batch_apart(triangle_label_b, form.stored_b(), p.batch.stride_b, p.batch.count);
  check_offset_alignment(p.offset_alignment);
  const bool is_transposed = form.is_left() == (p.trans != Transpose::no);
  form.is_upper = (p.uplo == Uplo::upper) != is_transposed;
  form.t_row_step = is_transposed ? 1 : p.lda;
  form.t_column_step = is_transposed ? p.lda : 1;
  return form;
}

/// Checks A, B and the workspace of a call that is not empty. A and B are read if `reads`. `overlap_hint` ends the
/// message if B, which is written, overlaps A. Throws what OperandCheck throws.
template <class Problem, class Operands>
void check_triangle_operands(const cl::Context& context, const TriangleForm<Problem>& form, const Operands& operands,
                             bool reads, const char* overlap_hint, std::uint64_t workspace_bytes) {
  const Problem& p = form.problem;
  OperandCheck check(context);
  OperandUse use{.label = triangle_label,
                 .layout = form.layout,
                 .matrix = form.stored_a(),
                 .places = BatchOffsets(p.batch.count, p.batch.stride_a),
                 .ref = operands.a,
                 .element = size_of(p.type),
                 .offset_alignment = p.offset_alignment,
                 .batched = p.batch.count != 1,
                 .read = reads};
  check.add(use);
  use.label = triangle_label_b;
  use.matrix = form.stored_b();
  use.places = BatchOffsets(p.batch.count, p.batch.stride_b);
  use.ref = operands.b;
  use.written = true;
  use.overlap_hint = overlap_hint;
  check.add(use);
  check.finish(operands.workspace, workspace_bytes);
}

}  // namespace tilewright::detail
