#include "gemm/problem.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

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
