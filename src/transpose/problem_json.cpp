#include "transpose/problem_json.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/element_type.hpp"
#include "selection/json_line.hpp"
#include "selection/record_json.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

Element element_of(const std::string& name) {
  if (const auto type = find_data_type(name)) return *type;
  for (const std::size_t bytes : element_sizes)
    if (name == to_string(Element::of_bytes(bytes))) return Element::of_bytes(bytes);
  throw std::runtime_error("the element " + name + " is not known");
}

}  // namespace

nlohmann::ordered_json RecordFormat<TransposeProblem>::to_json(const TransposeProblem& p) {
  nlohmann::ordered_json values{{"operation", Operation<TransposeProblem>::name},
                                {"element", to_string(p.type)},
                                {"trans", p.trans == Transpose::yes ? "T" : "N"},
                                {"m", p.m},
                                {"n", p.n},
                                {"lda", p.lda},
                                {"ldb", p.ldb},
                                {"in_place", p.in_place},
                                {"offset_alignment", p.offset_alignment}};
  if (is_batched(p))
    values["batch"] = {{"count", p.batch.count}, {"stride_a", p.batch.stride_a}, {"stride_b", p.batch.stride_b}};
  return values;
}

TransposeProblem RecordFormat<TransposeProblem>::from_json(const Json& values) {
  TransposeProblem p;
  p.type = element_of(text(values, "element"));
  const std::string trans = text(values, "trans");
  if (trans != "T" && trans != "N") throw std::runtime_error("trans is neither T nor N");
  p.trans = trans == "T" ? Transpose::yes : Transpose::no;
  p.in_place = boolean(values, "in_place");
  for (const auto& [name, value] :
       {std::pair{"m", &p.m}, {"n", &p.n}, {"lda", &p.lda}, {"ldb", &p.ldb}, {"offset_alignment", &p.offset_alignment}})
    *value = whole_number(values, name, 1, largest_size);
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
