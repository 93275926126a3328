#include "spmm/problem.hpp"

#include <limits>
#include <string>
#include <utility>

#include "kernels/explanation.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "spmm/labels.hpp"

namespace tilewright::detail {
namespace {

StoredMatrix stored(Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld) {
  return layout == Layout::row_major ? StoredMatrix{rows, columns, ld} : StoredMatrix{columns, rows, ld};
}

constexpr std::uint64_t max_indices = std::uint64_t{1} << 59;  // their bytes fit into 64-bit offsets

void check_sparse_sizes(const SpmmProblem& p) {
  if (p.index_base > 1)
    throw Error(ErrorCode::invalid_structure, OperandName::a,
                "index_base is " + std::to_string(p.index_base) + ", but must be 0 or 1");
  const std::uint64_t limit = p.index_type == IndexType::i32
                                  ? static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())
                                  : max_indices;
  const auto check = [&](std::uint64_t size, const char* what) {
    if (size > limit - p.index_base)
      throw Error(ErrorCode::size_overflow, OperandName::a,
                  "A has " + std::to_string(size) + what + ", more than its index type can count");
  };
  check(p.m, " rows");
  check(p.k, " columns");
  if (p.format != SparseFormat::coo) check(p.nonzeros, " stored elements");
  if (p.nonzeros > max_indices)
    throw Error(ErrorCode::size_overflow, OperandName::a,
                "A has " + std::to_string(p.nonzeros) + " stored elements, more than 64-bit offsets can address");
  if (p.nonzeros > 0 && (p.m == 0 || p.k == 0))
    throw Error(ErrorCode::invalid_structure, OperandName::a,
                "A is " + std::to_string(p.m) + " x " + std::to_string(p.k) +
                    " and cannot have stored elements, but has " + std::to_string(p.nonzeros));
}

void check_dense(const OperandLabel& label, const StoredMatrix& matrix, Layout layout, std::uint64_t stride,
                 const SpmmCore& core) {
  check_extent(label, matrix, layout, size_of(core.type));
  check_batch_extent(label, matrix, stride, core.batch.count, size_of(core.type));
}

}  // namespace

std::string problem_text(const SpmmProblem& p) {
  return problem_text("spmm", to_string(p.type), {p.m, p.n, p.k}, p.batch.count) + " with " +
         std::to_string(p.nonzeros) + " nonzeros";
}

StoredMatrix stored_values(const SpmmCore& core) { return {1, core.a.nonzeros, core.a.nonzeros}; }
StoredMatrix stored_b(const SpmmCore& core) { return stored(core.layout_b, core.a.columns, core.n, core.ldb); }
StoredMatrix stored_c(const SpmmCore& core) { return stored(core.layout_c, core.a.rows, core.n, core.ldc); }

SpmmCore core_of(const SpmmProblem& problem) {
  if (problem.type != DataType::f32 && problem.type != DataType::f64)
    throw Error(ErrorCode::unsupported_type,
                "spmm has no " + std::string(to_string(problem.type)) + "; use f32 or f64");
  check_sparse_sizes(problem);
  SpmmCore core{.type = problem.type,
                .layout_b = problem.layout_b,
                .layout_c = problem.layout_c,
                .n = problem.n,
                .ldb = problem.ldb,
                .ldc = problem.ldc,
                .batch = problem.batch};
  core.a = {.rows = problem.m, .columns = problem.k, .nonzeros = problem.nonzeros};
  if (problem.trans_a != Transpose::no) std::swap(core.a.rows, core.a.columns);
  check_strides(core.batch, {&Batch::stride_a, &Batch::stride_b, &Batch::stride_c});
  if (core.batch.count <= 1) core.batch = {.count = core.batch.count};
  core.ldb = completed_ld(label_b, stored_b(core).columns, core.ldb);
  core.ldc = completed_ld(label_c, stored_c(core).columns, core.ldc);
  check_batch_extent(label_a, stored_values(core), core.batch.stride_a, core.batch.count, size_of(core.type));
  check_dense(label_b, stored_b(core), core.layout_b, core.batch.stride_b, core);
  check_dense(label_c, stored_c(core), core.layout_c, core.batch.stride_c, core);
  check_batch_apart(label_c, stored_c(core), core.batch.stride_c, core.batch.count);
  if (core.n == 1 && core.layout_b == Layout::column_major) core.layout_b = Layout::row_major, core.ldb = 1;
  if (core.n == 1 && core.layout_c == Layout::column_major) core.layout_c = Layout::row_major, core.ldc = 1;
  return core;
}

SpmmCore core_of(const SpmmProblem& problem, const RowStatistics& rows) {
  SpmmCore core = core_of(problem);
  if (rows.rows != core.a.rows || rows.columns != core.a.columns || rows.nonzeros != core.a.nonzeros)
    throw Error(ErrorCode::invalid_structure, OperandName::a,
                "the statistics are those of a " + std::to_string(rows.rows) + " x " + std::to_string(rows.columns) +
                    " matrix with " + std::to_string(rows.nonzeros) + " stored elements, but op(A) is " +
                    std::to_string(core.a.rows) + " x " + std::to_string(core.a.columns) + " with " +
                    std::to_string(core.a.nonzeros));
  core.a = rows;
  core.permuted = problem.format == SparseFormat::coo ||
                  (problem.format == SparseFormat::csr) == (problem.trans_a != Transpose::no);
  return core;
}

SpmmCore with_rows_of_b(const SpmmCore& core) {
  SpmmCore result = core;
  if (core.layout_b == Layout::row_major) return result;
  result.layout_b = Layout::row_major;
  result.ldb = core.n;
  if (core.batch.stride_b != 0) result.batch.stride_b = core.a.columns * core.n;
  return result;
}

bool needs_64_bit_indices(const SpmmCore& core) {
  return needs_64_bit_indices({stored_b(core), stored_c(core), stored_b(with_rows_of_b(core))});
}

bool has_64_bit_structure(const SpmmCore& core) {
  // Kernels count some steps past the last element.
  constexpr std::uint64_t limit = std::numeric_limits<std::int32_t>::max() - 4096;
  return core.a.nonzeros >= limit || core.a.rows >= limit || core.a.columns >= limit;
}

}  // namespace tilewright::detail
