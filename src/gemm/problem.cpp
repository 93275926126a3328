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

std::string ld_of(const char* name) { return std::string("ld") + static_cast<char>(name[0] - 'A' + 'a'); }

void complete_ld(GemmProblem& p, const NamedMatrix& named) {
  const std::uint64_t smallest = std::max<std::uint64_t>(1, named.stored(p).columns);
  std::uint64_t& ld = p.*named.ld;
  if (ld == 0) ld = smallest;
  if (ld < smallest)
    throw Error(ErrorCode::invalid_leading_dimension, named.operand,
                ld_of(named.name) + " is " + std::to_string(ld) + ", but must be at least " + std::to_string(smallest) +
                    " (or 0 for a densely stored matrix)");
}

std::uint64_t most_elements(const GemmProblem& p) {
  return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / size_of(p.type);
}

void check_extent(const GemmProblem& p, const NamedMatrix& named, Layout layout) {
  const StoredMatrix matrix = named.stored(p);
  const std::uint64_t limit = most_elements(p);
  const bool fits = matrix.rows <= limit && matrix.columns <= limit && matrix.ld <= limit &&
                    (matrix.rows <= 1 || matrix.ld <= (limit - matrix.columns) / (matrix.rows - 1));
  if (!fits)
    throw Error(ErrorCode::size_overflow, named.operand,
                std::string(named.name) + " of " + size_of_caller(matrix, layout) +
                    " elements with a leading dimension of " + std::to_string(matrix.ld) +
                    " reaches past what 64-bit byte offsets can address");
}

void check_batch_extent(const GemmProblem& p, const NamedMatrix& named) {
  const std::uint64_t stride = p.batch.*named.stride;
  if (p.batch.count > 1 && stride > (most_elements(p) - named.stored(p).extent()) / (p.batch.count - 1))
    throw Error(ErrorCode::size_overflow, named.operand,
                std::to_string(p.batch.count) + " matrices " + named.name + ", " + std::to_string(stride) +
                    " elements apart, reach past what 64-bit byte offsets can address");
}

// Product x and product y of a batch share elements of C where products 0 and y - x do.
void check_batch_apart(const GemmProblem& p) {
  if (const auto x = first_overlap(stored_c(p), p.batch.stride_c, p.batch.count))
    throw Error(ErrorCode::overlapping_operands, OperandName::c,
                "stride_c is " + std::to_string(p.batch.stride_c) + ", so that the first C of the batch and C number " +
                    std::to_string(*x) + " after it share elements");
}

void normalize_batch(GemmProblem& p, Layout layout) {
  GemmBatch& batch = p.batch;
  if (batch.by_offsets || batch.count <= 1) {
    batch = {.count = batch.count, .by_offsets = batch.by_offsets};
    return;
  }
  for (const NamedMatrix& named : matrices_of_caller(layout)) check_batch_extent(p, named);
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

const std::array<NamedMatrix, 3>& matrices_of_caller(Layout layout) {
  using enum OperandName;
  static constexpr NamedMatrix first{
      nullptr, none, &GemmProblem::lda, &GemmBatch::stride_a, stored_a, &GemmOperands::a, &GemmOffsets::a};
  static constexpr NamedMatrix second{
      nullptr, none, &GemmProblem::ldb, &GemmBatch::stride_b, stored_b, &GemmOperands::b, &GemmOffsets::b};
  static constexpr NamedMatrix third{
      "C", c, &GemmProblem::ldc, &GemmBatch::stride_c, stored_c, &GemmOperands::c, &GemmOffsets::c};
  const auto called = [](NamedMatrix matrix, const char* name, OperandName operand) {
    matrix.name = name;
    matrix.operand = operand;
    return matrix;
  };
  static const std::array rows{called(first, "A", a), called(second, "B", b), third};
  static const std::array columns{called(second, "A", a), called(first, "B", b), third};
  return layout == Layout::row_major ? rows : columns;
}

std::string size_of_caller(const StoredMatrix& matrix, Layout layout) {
  const bool by_rows = layout == Layout::row_major;
  return std::to_string(by_rows ? matrix.rows : matrix.columns) + " x " +
         std::to_string(by_rows ? matrix.columns : matrix.rows);
}

GemmProblem normalized(const GemmProblem& problem) {
  GemmProblem p = problem;
  if (p.layout == Layout::column_major) {
    p.layout = Layout::row_major;
    std::swap(p.m, p.n);
    std::swap(p.lda, p.ldb);
    std::swap(p.trans_a, p.trans_b);
    std::swap(p.batch.stride_a, p.batch.stride_b);
  }
  const auto& matrices = matrices_of_caller(problem.layout);
  for (const NamedMatrix& named : matrices) complete_ld(p, named);
  for (const NamedMatrix& named : matrices) check_extent(p, named, problem.layout);
  if (!std::has_single_bit(p.offset_alignment))
    throw Error(ErrorCode::invalid_offset,
                "offset_alignment is " + std::to_string(p.offset_alignment) + ", but must be a power of two");
  normalize_batch(p, problem.layout);
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
