#include "spmm/structure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/operands/operand_check.hpp"
#include "spmm/structure_check.hpp"

namespace tilewright::detail {
namespace {

// Reads the arrays of a structure to the host.
template <class Index>
class Reader {
 public:
  Reader(const cl::CommandQueue& queue, const SpmmProblem& problem, const SparseStructure& structure,
         std::span<const cl_event> waits)
      : queue_(queue) {
    const bool coo = problem.format == SparseFormat::coo, csr = problem.format == SparseFormat::csr;
    if (!coo)
      read(offsets_, {"A's offsets", OperandName::a}, structure.offsets, (csr ? problem.m : problem.k) + 1, waits);
    if (!csr) read(rows_, {"A's row indices", OperandName::a}, structure.rows, problem.nonzeros, waits);
    if (csr || coo) read(columns_, {"A's column indices", OperandName::a}, structure.columns, problem.nonzeros, waits);
  }

  HostStructure<Index> host() const { return {offsets_, rows_, columns_}; }

 private:
  void read(std::vector<Index>& to, const OperandLabel& label, const MatrixRef& from, std::uint64_t count,
            std::span<const cl_event> waits) {
    if (count == 0) return;
    const auto context = queue_.getInfo<CL_QUEUE_CONTEXT>();
    // CL_MEM_WRITE_ONLY is allowed, because no kernel reads the caller's buffer.
    check_matrices(context, {.label = label,
                             .matrix = {1, count, count},
                             .places = BatchOffsets(1, 0),
                             .ref = from,
                             .element = sizeof(Index)});
    to.resize(count);
    if (is_host_readable(from.buffer)) return read_bytes(to, from.buffer, from.offset * sizeof(Index), waits);
    // The device copies buffers that the host may not read.
    const cl::Buffer readable(context, CL_MEM_READ_WRITE, count * sizeof(Index));
    cl::Event copied;
    check(clEnqueueCopyBuffer(queue_(), from.buffer, readable(), from.offset * sizeof(Index), 0, count * sizeof(Index),
                              static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &copied()),
          "clEnqueueCopyBuffer");
    read_bytes(to, readable(), 0, {&copied(), 1});
  }

  void read_bytes(std::vector<Index>& to, cl_mem from, std::uint64_t offset, std::span<const cl_event> waits) {
    check(clEnqueueReadBuffer(queue_(), from, CL_TRUE, offset, to.size() * sizeof(Index), to.data(),
                              static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), nullptr),
          "clEnqueueReadBuffer");
  }

  cl::CommandQueue queue_;
  std::vector<Index> offsets_, rows_, columns_;
};

template <class Out, class In>
std::vector<Out> from_zero_on(std::span<const In> indices, std::uint64_t base) {
  std::vector<Out> result(indices.size());
  std::transform(indices.begin(), indices.end(), result.begin(),
                 [&](In index) { return static_cast<Out>(index - static_cast<In>(base)); });
  return result;
}

// Returns the offset of each row, from the row of each element.
template <class Out, class In>
std::vector<Out> count_rows(std::span<const In> row_of, std::uint64_t rows, std::uint64_t base) {
  std::vector<Out> offsets(rows + 1, 0);
  for (const In row : row_of) ++offsets[static_cast<std::size_t>(row) - base + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

// Sorts elements by rows, and keeps the order of elements within a row. column_of(x) is the column of element x.
template <class Out, class In, class ColumnOf>
Rows<Out> sorted_by_rows(std::span<const In> row_of, std::uint64_t rows, std::uint64_t base,
                         const ColumnOf& column_of) {
  Rows<Out> result{.offsets = count_rows<Out>(row_of, rows, base)};
  result.columns.resize(row_of.size());
  result.permutation.resize(row_of.size());
  std::vector<Out> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t x = 0; x < row_of.size(); ++x) {
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(row_of[x]) - base]++);
    result.columns[to] = column_of(x);
    result.permutation[to] = static_cast<Out>(x);
  }
  return result;
}

template <class Out, class In>
Rows<Out> rows_of_places(std::span<const In> row_of, std::span<const In> columns, std::uint64_t rows,
                         std::uint64_t base) {
  if (std::is_sorted(row_of.begin(), row_of.end()))
    return {.offsets = count_rows<Out>(row_of, rows, base), .columns = from_zero_on<Out>(columns, base)};
  return sorted_by_rows<Out>(row_of, rows, base,
                             [&](std::size_t x) { return static_cast<Out>(columns[x] - static_cast<In>(base)); });
}

// Sorts a structure whose offsets count columns of op(A).
template <class Out, class In>
Rows<Out> rows_of_columns(std::span<const In> offsets, std::span<const In> row_of, std::uint64_t rows,
                          std::uint64_t base) {
  std::size_t line = 0;
  return sorted_by_rows<Out>(row_of, rows, base, [&](std::size_t x) {
    while (static_cast<std::size_t>(offsets[line + 1]) - base <= x) ++line;
    return static_cast<Out>(line);
  });
}

template <class Out, class In>
Rows<Out> by_rows(const SpmmProblem& p, const HostStructure<In>& from) {
  const bool transposed = p.trans_a != Transpose::no;
  const std::uint64_t rows = transposed ? p.k : p.m;
  if (p.format == SparseFormat::coo)
    return rows_of_places<Out>(transposed ? from.columns : from.rows, transposed ? from.rows : from.columns, rows,
                               p.index_base);
  const auto& indices = p.format == SparseFormat::csr ? from.columns : from.rows;
  if ((p.format == SparseFormat::csr) == transposed)
    return rows_of_columns<Out>(from.offsets, indices, rows, p.index_base);
  return {.offsets = from_zero_on<Out>(from.offsets, p.index_base),
          .columns = from_zero_on<Out>(indices, p.index_base)};
}

template <class In>
AnyRows read_rows_of(const cl::CommandQueue& queue, const SpmmProblem& problem, const SparseStructure& structure,
                     std::span<const cl_event> waits, bool wide) {
  const Reader<In> reader(queue, problem, structure, waits);
  if (structure.check != StructureCheck::none) check_structure(problem, reader.host(), structure.check);
  if (wide) return by_rows<std::int64_t>(problem, reader.host());
  return by_rows<std::int32_t>(problem, reader.host());
}

}  // namespace

AnyRows read_rows(const cl::CommandQueue& queue, const SpmmProblem& problem, const SparseStructure& structure,
                  std::span<const cl_event> waits, bool wide) {
  return problem.index_type == IndexType::i32 ? read_rows_of<std::int32_t>(queue, problem, structure, waits, wide)
                                              : read_rows_of<std::int64_t>(queue, problem, structure, waits, wide);
}

RowStatistics statistics_of(const AnyRows& any, std::uint64_t columns) {
  return std::visit(
      [&](const auto& rows) {
        RowStatistics result{.rows = rows.offsets.size() - 1, .columns = columns, .nonzeros = rows.columns.size()};
        if (result.rows == 0) return result;
        const auto count = static_cast<double>(result.rows);
        result.mean = static_cast<double>(result.nonzeros) / count;
        const double slope = static_cast<double>(columns) / count;  // of the diagonal
        double squares = 0, distances = 0;
        for (std::size_t i = 0; i < result.rows; ++i) {
          const auto length = static_cast<std::uint64_t>(rows.offsets[i + 1] - rows.offsets[i]);
          result.longest = std::max(result.longest, length);
          if (length == 0) ++result.empty_rows;
          squares += (static_cast<double>(length) - result.mean) * (static_cast<double>(length) - result.mean);
          const double diagonal = slope * static_cast<double>(i);
          for (auto x = rows.offsets[i]; x < rows.offsets[i + 1]; ++x)
            distances += std::abs(static_cast<double>(rows.columns[static_cast<std::size_t>(x)]) - diagonal);
        }
        if (result.nonzeros != 0) result.spread = distances / static_cast<double>(result.nonzeros);
        result.deviation = std::sqrt(squares / count);
        return result;
      },
      any);
}

}  // namespace tilewright::detail
