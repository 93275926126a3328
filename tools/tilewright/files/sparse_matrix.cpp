#include "files/sparse_matrix.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "files/input.hpp"
#include "files/number_conversion.hpp"
#include "spmm/structure.hpp"
#include "text/format.hpp"

namespace tilewright::tool {
template <class T>
verification::HostCsr<T> by_rows(const Triplets& matrix, bool transposed, const std::string& path) {
  const std::vector<std::uint64_t>& row = transposed ? matrix.column : matrix.row;
  const std::vector<std::uint64_t>& column = transposed ? matrix.row : matrix.column;
  verification::HostCsr<T> result;
  result.rows = transposed ? matrix.columns : matrix.rows;
  result.columns = transposed ? matrix.rows : matrix.columns;
  require_host_memory(path,
                      (static_cast<double>(result.rows) + 1 + 2 * static_cast<double>(row.size())) * sizeof(double),
                      "the matrix in CSR form");
  result.offsets.assign(result.rows + 1, 0);
  for (const std::uint64_t i : row) ++result.offsets[i + 1];
  for (std::uint64_t i = 0; i < result.rows; ++i) result.offsets[i + 1] += result.offsets[i];
  result.indices.resize(row.size());
  result.values.resize(row.size());
  std::vector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t e = 0; e < row.size(); ++e) {
    const auto at = static_cast<std::size_t>(next[row[e]]++);
    result.indices[at] = static_cast<std::int64_t>(column[e]);
    result.values[at] = static_cast<T>(matrix.values[e]);
    if (is_overflow(matrix.values[e], result.values[at]))
      refuse_overflow<T>(path, {matrix.row[e], matrix.column[e]}, matrix.values[e]);
  }
  return result;
}

template <class T>
DeviceCsr<T>::DeviceCsr(const Session& session, const verification::HostCsr<T>& matrix)
    : offsets_(session.make_buffer(std::as_bytes(std::span(matrix.offsets)))),
      columns_(session.make_buffer(std::as_bytes(std::span(matrix.indices)))),
      values_(session.make_buffer(std::as_bytes(std::span(matrix.values)))) {}

RowStatistics statistics_of(const Triplets& matrix, const std::string& path) {
  verification::HostCsr<double> rows = by_rows<double>(matrix, false, path);
  return detail::statistics_of(detail::Rows<std::int64_t>{std::move(rows.offsets), std::move(rows.indices), {}},
                               matrix.columns);
}

SpmmProblem spmm_problem(const Triplets& a, DataType type, std::uint64_t n) {
  return {.type = type, .index_type = IndexType::i64, .m = a.rows, .n = n, .k = a.columns, .nonzeros = a.row.size()};
}

double flops_of(const SpmmProblem& problem) {
  return 2 * static_cast<double>(problem.nonzeros) * static_cast<double>(problem.n);
}

double bytes_of(const SpmmProblem& problem) {
  const auto size = static_cast<double>(size_of(problem.type));
  const auto m = static_cast<double>(problem.m), k = static_cast<double>(problem.k);
  return static_cast<double>(problem.nonzeros) * (size + 4) + (m + 1) * 4 +
         (m + k) * static_cast<double>(problem.n) * size;
}

double device_bytes_of(const SpmmProblem& problem) {
  return bytes_of(problem) + (static_cast<double>(problem.nonzeros) + static_cast<double>(problem.m) + 1) *
                                 static_cast<double>(size_of(problem.index_type));
}

std::string to_string(const SpmmProblem& problem) {
  return fmt::format("{} x {}, {} entries {}", problem.m, problem.k, problem.nonzeros,
                     tilewright::to_string(problem.type));
}

std::string to_string(const RowStatistics& statistics) {
  return fmt::format("{} entries on average (deviation {}), {} at most, {} of {} empty", format_number(statistics.mean),
                     format_number(statistics.deviation), statistics.longest, statistics.empty_rows, statistics.rows);
}

template verification::HostCsr<float> by_rows<float>(const Triplets&, bool, const std::string&);
template verification::HostCsr<double> by_rows<double>(const Triplets&, bool, const std::string&);
template class DeviceCsr<float>;
template class DeviceCsr<double>;

}  // namespace tilewright::tool
