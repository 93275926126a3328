// Measures of spmm problems for selection: distance, work and labels.
#include <cmath>
#include <string>

#include "selection/problem_measures.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {
namespace {

using Sparse = Operation<SpmmCore>;

double log_ratio(double left, double right) { return std::abs(std::log(left / right)); }

// Measures of how much the lengths of rows differ. Each is 1 if all rows have the same length.
double longest_over_mean(const RowStatistics& a) { return static_cast<double>(a.longest) / a.mean; }
double variation(const RowStatistics& a) { return 1 + a.deviation / a.mean; }
double filled(const RowStatistics& a) {
  return static_cast<double>(a.rows - a.empty_rows) / static_cast<double>(a.rows);
}

// The fraction of the columns, around the diagonal, over which elements spread.
double spread(const RowStatistics& a) { return (1 + a.spread) / (1 + static_cast<double>(a.columns)); }

bool has_gaps(const SpmmCore& core) {
  return core.ldb != core.n || core.ldc != (core.layout_c == Layout::row_major ? core.n : core.a.rows);
}

}  // namespace

double Sparse::work(const SpmmCore& core) {
  return 2.0 * static_cast<double>(core.steps()) * static_cast<double>(core.n) * static_cast<double>(core.batch.count);
}

// A single column needs another program, and has other bottlenecks.
bool Sparse::same_kind(const SpmmCore& left, const SpmmCore& right) {
  return left.type == right.type && (left.n == 1) == (right.n == 1);
}

// The weighted sum of |log ratio| of sizes and lengths of rows. Forms that were not measured count like twice the size.
double Sparse::distance(const SpmmCore& left, const SpmmCore& right) {
  const RowStatistics &x = left.a, &y = right.a;
  double result = detail::log_ratio(x.rows, y.rows) + detail::log_ratio(x.columns, y.columns) +
                  detail::log_ratio(left.n, right.n) + detail::log_ratio(left.batch.count, right.batch.count) +
                  log_ratio(x.mean, y.mean) + log_ratio(variation(x), variation(y)) + log_ratio(filled(x), filled(y)) +
                  log_ratio(longest_over_mean(x), longest_over_mean(y)) / 2 + log_ratio(spread(x), spread(y)) / 4;
  for (const bool differ :
       {left.layout_c != right.layout_c, left.permuted != right.permuted, has_gaps(left) != has_gaps(right)})
    if (differ) result += std::log(2.0);
  return result;
}

std::string Sparse::label(const SpmmCore& core) {
  return std::to_string(core.a.rows) + " x " + std::to_string(core.a.columns) + " with " +
         std::to_string(core.a.nonzeros) + ", n " + std::to_string(core.n);
}

}  // namespace tilewright::detail
