#include "transpose/problem.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

bool is_element_size(std::size_t bytes) {
  return std::find(std::begin(element_sizes), std::end(element_sizes), bytes) != std::end(element_sizes);
}

// The memory that a matrix in place occupies before and after. Exact if A and B have the same rows.
StoredMatrix footprint(const TransposeProblem& p) {
  const StoredMatrix a = stored_a(p), b = stored_b(p);
  if (a.rows == b.rows && a.columns == b.columns && a.ld == b.ld) return a;
  const std::uint64_t extent = std::max(a.extent(), b.extent());
  return {1, extent, extent};
}

void normalize_batch(TransposeProblem& p) {
  Batch& batch = p.batch;
  check_strides(batch, {&Batch::stride_a, &Batch::stride_b});
  if (p.in_place) {
    if (batch.stride_b != 0 && batch.stride_b != batch.stride_a)
      throw Error(ErrorCode::invalid_batch, OperandName::b,
                  "stride_b is " + std::to_string(batch.stride_b) + ", but in place it must be 0 or stride_a (" +
                      std::to_string(batch.stride_a) + ")");
    batch.stride_b = batch.stride_a;
  }
  if (batch.count <= 1) {
    batch = {.count = batch.count};
    return;
  }
  const std::size_t element = p.type.bytes();
  check_batch_extent(label_a, stored_a(p), batch.stride_a, batch.count, element);
  check_batch_extent(label_b, stored_b(p), batch.stride_b, batch.count, element);
  if (p.in_place)
    check_batch_apart(label_a, footprint(p), batch.stride_a, batch.count);
  else
    check_batch_apart(label_b, stored_b(p), batch.stride_b, batch.count);
  p.offset_alignment = aligned_as_promised(p.offset_alignment, batch.stride_a | batch.stride_b);
}

}  // namespace

StoredMatrix stored_a(const TransposeProblem& p) { return {p.m, p.n, p.lda}; }
StoredMatrix stored_b(const TransposeProblem& p) {
  return p.trans == Transpose::no ? StoredMatrix{p.m, p.n, p.ldb} : StoredMatrix{p.n, p.m, p.ldb};
}

TransposeProblem normalized(const TransposeProblem& problem) {
  TransposeProblem p = problem;
  if (!is_element_size(p.type.bytes()))
    throw Error(ErrorCode::unsupported_type, "elements of " + std::to_string(p.type.bytes()) +
                                                 " bytes cannot be moved; they must have 1, 2, 4, 8 "
                                                 "or 16");
  if (p.trans == Transpose::conjugate_transpose)
    throw Error(ErrorCode::unsupported_type,
                "transpose() cannot conjugate elements; transpose without conjugation, or pass the stored matrix to "
                "gemm(), which can conjugate it");
  if (p.layout == Layout::column_major) {
    p.layout = Layout::row_major;
    std::swap(p.m, p.n);
  }
  p.lda = completed_ld(label_a, p.n, p.lda);
  if (p.in_place && p.ldb == 0 && (p.trans == Transpose::no || p.m == p.n)) p.ldb = p.lda;
  p.ldb = completed_ld(label_b, stored_b(p).columns, p.ldb);
  check_extent(label_a, stored_a(p), problem.layout, p.type.bytes());
  check_extent(label_b, stored_b(p), problem.layout, p.type.bytes());
  check_offset_alignment(p.offset_alignment);
  normalize_batch(p);
  return p;
}

TransposeProblem as_moved(TransposeProblem problem, const DeviceProfile& device) {
  const auto number = problem.type.number();
  if (number && (is_integer(*number) || !why_unsupported(*number, device).empty()))
    problem.type = Element::of_bytes(problem.type.bytes());
  return problem;
}

bool stays_in_place(const TransposeProblem& p) { return p.in_place && p.trans == Transpose::no && p.lda == p.ldb; }

double bytes_moved(const TransposeProblem& p) {
  return 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch.count) *
         static_cast<double>(p.type.bytes());
}

bool needs_64_bit_indices(const TransposeProblem& p) { return needs_64_bit_indices({stored_a(p), stored_b(p)}); }

bool lines_are_vectors(const StoredMatrix& matrix, const TransposeProblem& p, std::int64_t width) {
  const auto w = static_cast<std::uint64_t>(width);
  return matrix.ld % w == 0 && p.offset_alignment % w == 0;
}

}  // namespace tilewright::detail
