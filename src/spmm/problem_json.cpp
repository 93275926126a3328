#include "spmm/problem_json.hpp"

#include <stdexcept>

#include "kernels/element_type.hpp"
#include "selection/json_line.hpp"
#include "selection/record_json.hpp"
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
  return {{"operation", Operation<SpmmCore>::name},
          {"type", to_string(core.type)},
          {"m", core.a.rows},
          {"k", core.a.columns},
          {"n", core.n},
          {"nonzeros", core.a.nonzeros},
          {"longest_row", core.a.longest},
          {"empty_rows", core.a.empty_rows},
          {"deviation", core.a.deviation},
          {"spread", core.a.spread}};
}

SpmmCore RecordFormat<SpmmCore>::from_json(const nlohmann::json& values) {
  const std::string name = text(values, "type");
  const auto type = find_data_type(name);
  if (!type) throw std::runtime_error("the type " + name + " is not known");
  RowStatistics rows;
  rows.rows = whole_number(values, "m", 1, largest_size);
  rows.columns = whole_number(values, "k", 1, largest_size);
  rows.nonzeros = whole_number(values, "nonzeros", 1, largest_size);
  rows.empty_rows = whole_number(values, "empty_rows", 0, rows.rows - 1);
  // Every row that is not empty has at least one element, and at most as many as the longest row.
  const std::uint64_t filled = rows.rows - rows.empty_rows;
  if (filled > rows.nonzeros) throw std::runtime_error("there are fewer stored elements than rows that are not empty");
  rows.longest = whole_number(values, "longest_row", ceil_div(rows.nonzeros, static_cast<std::int64_t>(filled)),
                              rows.nonzeros - filled + 1);
  rows.mean = static_cast<double>(rows.nonzeros) / static_cast<double>(rows.rows);
  rows.deviation = number(values, "deviation", 0, static_cast<double>(largest_size));
  rows.spread = number(values, "spread", 0, static_cast<double>(rows.columns));
  const SpmmCore core = tuned_core(*type, whole_number(values, "n", 1, largest_size), rows);
  if (!(Operation<SpmmCore>::work(core) <= max_work))
    throw std::runtime_error("the product is too large for any device");
  return core;
}

}  // namespace tilewright::detail
