#include "spmm/problem_json.hpp"

#include <stdexcept>

#include "selection/field_json.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {

SpmmCore tuned_core(DataType type, std::uint64_t n, const RowStatistics& rows) {
  SpmmCore core = core_of({.type = type,
                           .index_type = IndexType::i64,
                           .m = rows.rows,
                           .n = n,
                           .k = rows.columns,
                           .nonzeros = rows.nonzeros});
  core.a = rows;
  return core;
}

nlohmann::ordered_json RecordFormat<SpmmCore>::to_json(const SpmmCore& core) {
  // "n" follows the rows and columns of A.
  nlohmann::ordered_json values{
      {"operation", Operation<SpmmCore>::name}, {"type", {}}, {"m", {}}, {"k", {}}, {"n", {}}};
  write_fields(values, core);
  return values;
}

SpmmCore RecordFormat<SpmmCore>::from_json(const nlohmann::json& values) {
  SpmmCore read;
  read_fields(values, read);
  RowStatistics& rows = read.a;
  rows.empty_rows = whole_number(values, "empty_rows", 0, rows.rows - 1);
  // Every row that is not empty has at least one element, and at most as many as the longest row.
  const std::uint64_t filled = rows.rows - rows.empty_rows;
  if (filled > rows.nonzeros) throw std::runtime_error("there are fewer stored elements than rows that are not empty");
  rows.longest = whole_number(values, "longest_row", ceil_div(rows.nonzeros, static_cast<std::int64_t>(filled)),
                              rows.nonzeros - filled + 1);
  rows.mean = static_cast<double>(rows.nonzeros) / static_cast<double>(rows.rows);
  rows.spread = number(values, "spread", 0, static_cast<double>(rows.columns));
  const SpmmCore core = tuned_core(read.type, read.n, rows);
  if (!(Operation<SpmmCore>::work(core) <= max_work))
    throw std::runtime_error("the product is too large for any device");
  return core;
}

}  // namespace tilewright::detail
