#include "transpose/problem_json.hpp"

#include <optional>
#include <stdexcept>
#include <string_view>

#include "selection/field_json.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {

template <>
struct JsonWords<Element> {
  static constexpr const char* what = "element";
  static std::optional<Element> find(std::string_view word) {
    if (const auto type = find_data_type(word)) return *type;
    for (const std::size_t bytes : element_sizes)
      if (word == to_string(Element::of_bytes(bytes))) return Element::of_bytes(bytes);
    return std::nullopt;
  }
};

nlohmann::ordered_json RecordFormat<TransposeProblem>::to_json(const TransposeProblem& p) {
  nlohmann::ordered_json values{{"operation", Operation<TransposeProblem>::name}};
  write_fields(values, p);
  if (is_batched(p))
    values["batch"] = {{"count", p.batch.count}, {"stride_a", p.batch.stride_a}, {"stride_b", p.batch.stride_b}};
  return values;
}

TransposeProblem RecordFormat<TransposeProblem>::from_json(const nlohmann::json& values) {
  TransposeProblem p;
  read_fields(values, p);
  if (const auto batch = values.find("batch"); batch != values.end()) {
    p.batch.count = whole_number(*batch, "count", 1, largest_count);
    p.batch.stride_a = whole_number(*batch, "stride_a", 0, largest_stride / p.batch.count);
    p.batch.stride_b = whole_number(*batch, "stride_b", 0, largest_stride / p.batch.count);
  }
  p = normalized(p);
  if (!(Operation<TransposeProblem>::work(p) <= max_work))
    throw std::runtime_error("it is more work than any device does");
  return p;
}

}  // namespace tilewright::detail
