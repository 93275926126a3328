#include "gemm/problem.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "gemm/overlap.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

// Tiles, which have at most largest_tile rows or columns, reach past the matrices' edges by less than this.
constexpr std::uint64_t edge_reserve = largest_tile;

void complete_ld(std::uint64_t& ld, const StoredMatrix& matrix, const char* name) {
  const std::uint64_t smallest = std::max<std::uint64_t>(1, matrix.columns);
  if (ld == 0) ld = smallest;
  if (ld < smallest)
    throw Error(ErrorCode::invalid_leading_dimension, std::string(name) + " is " + std::to_string(ld) +
                                                          ", but must be at least " + std::to_string(smallest) +
                                                          " (or 0 for a densely stored matrix)");
}

void check_extent(const StoredMatrix& matrix, std::size_t element, const char* name) {
  const std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / element;
  const bool fits = matrix.rows <= limit && matrix.columns <= limit && matrix.ld <= limit &&
                    (matrix.rows <= 1 || matrix.ld <= (limit - matrix.columns) / (matrix.rows - 1));
  if (!fits)
    throw Error(ErrorCode::size_overflow, std::string(name) + " of " + std::to_string(matrix.rows) + " x " +
                                              std::to_string(matrix.columns) +
                                              " elements with a leading dimension of " + std::to_string(matrix.ld) +
                                              " reaches past what 64-bit byte offsets can address");
}

void check_batch_extent(const StoredMatrix& matrix, std::uint64_t stride, const GemmProblem& p, const char* name) {
  const std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / size_of(p.type);
  if (p.batch.count > 1 && stride > (limit - matrix.extent()) / (p.batch.count - 1))
    throw Error(ErrorCode::size_overflow, std::to_string(p.batch.count) + " matrices " + name + ", " +
                                              std::to_string(stride) +
                                              " elements apart, reach past what 64-bit byte offsets can address");
}

// Product x and product y of a batch share elements of C where products 0 and y - x do.
void check_batch_apart(const GemmProblem& p) {
  const StoredMatrix c = stored_c(p);
  for (std::uint64_t x = 1; x < p.batch.count && x * p.batch.stride_c < c.extent(); ++x)
    if (overlap(c, 0, c, x * p.batch.stride_c))
      throw Error(ErrorCode::overlapping_operands, "stride_c is " + std::to_string(p.batch.stride_c) +
                                                       ", so that the first C of the batch and C number " +
                                                       std::to_string(x) + " behind it share elements");
}

void normalize_batch(GemmProblem& p, const char* a, const char* b) {
  GemmBatch& batch = p.batch;
  if (batch.by_offsets || batch.count <= 1) {
    batch = {.count = batch.count, .by_offsets = batch.by_offsets};
    return;
  }
  check_batch_extent(stored_a(p), batch.stride_a, p, a);
  check_batch_extent(stored_b(p), batch.stride_b, p, b);
  check_batch_extent(stored_c(p), batch.stride_c, p, "C");
  check_batch_apart(p);
  const std::uint64_t strides = batch.stride_a | batch.stride_b | batch.stride_c;
  if (strides != 0) p.offset_alignment = std::min(p.offset_alignment, std::uint64_t{1} << std::countr_zero(strides));
}

}  // namespace

StoredMatrix stored_a(const GemmProblem& p) {
  return p.trans_a == Transpose::no ? StoredMatrix{p.m, p.k, p.lda} : StoredMatrix{p.k, p.m, p.lda};
}
StoredMatrix stored_b(const GemmProblem& p) {
  return p.trans_b == Transpose::no ? StoredMatrix{p.k, p.n, p.ldb} : StoredMatrix{p.n, p.k, p.ldb};
}
StoredMatrix stored_c(const GemmProblem& p) { return {p.m, p.n, p.ldc}; }

GemmProblem normalized(const GemmProblem& problem) {
  GemmProblem p = problem;
  const bool swapped = p.layout == Layout::column_major;
  if (swapped) {
    p.layout = Layout::row_major;
    std::swap(p.m, p.n);
    std::swap(p.lda, p.ldb);
    std::swap(p.trans_a, p.trans_b);
    std::swap(p.batch.stride_a, p.batch.stride_b);
  }
  const char* const a = swapped ? "B" : "A";
  const char* const b = swapped ? "A" : "B";
  complete_ld(p.lda, stored_a(p), swapped ? "ldb" : "lda");
  complete_ld(p.ldb, stored_b(p), swapped ? "lda" : "ldb");
  complete_ld(p.ldc, stored_c(p), "ldc");
  check_extent(stored_a(p), size_of(p.type), a);
  check_extent(stored_b(p), size_of(p.type), b);
  check_extent(stored_c(p), size_of(p.type), "C");
  if (!std::has_single_bit(p.offset_alignment))
    throw Error(ErrorCode::invalid_offset,
                "offset_alignment is " + std::to_string(p.offset_alignment) + ", but must be a power of two");
  normalize_batch(p, a, b);
  return p;
}

bool needs_64_bit_indices(const GemmProblem& p) {
  constexpr std::uint64_t limit = std::numeric_limits<std::int32_t>::max();
  for (const auto& matrix : {stored_a(p), stored_b(p), stored_c(p)})
    if (matrix.ld + edge_reserve > limit / (matrix.rows + edge_reserve)) return true;
  return false;
}

bool rows_in_vectors(const StoredMatrix& matrix, std::uint64_t offset_alignment, std::int64_t width) {
  const auto w = static_cast<std::uint64_t>(width);
  return matrix.columns % w == 0 && matrix.ld % w == 0 && offset_alignment % w == 0;
}

}  // namespace tilewright::detail
