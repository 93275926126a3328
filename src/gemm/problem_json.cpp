#include "gemm/problem_json.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "gemm/epilogue.hpp"
#include "gemm/variant.hpp"
#include "selection/field_json.hpp"

namespace tilewright::detail {

template <>
struct JsonWords<Accuracy> {
  static constexpr const char* what = "accuracy";
  static constexpr Accuracy omitted = Accuracy::full;
  static std::optional<Accuracy> find(std::string_view word) { return find_accuracy(word); }
};

namespace {

using Json = nlohmann::json;

// Reads the batch of a problem whose other fields are normalized. Overlaps between matrices of C are not checked: that
// can take long, and nothing is enqueued here.
void read_batch(GemmProblem& p, const Json& values) {
  Batch& batch = p.batch;
  batch.count = whole_number(values, "count", 1, largest_count);
  batch.by_offsets = boolean(values, "by_offsets");
  std::uint64_t strides = 0;
  for (const auto& [name, value] :
       {std::pair{"stride_a", &batch.stride_a}, {"stride_b", &batch.stride_b}, {"stride_c", &batch.stride_c}}) {
    *value = whole_number(values, name, 0, largest_stride / batch.count);
    if (batch.by_offsets || batch.count == 1) *value = 0;
    strides |= *value;
  }
  if (p.epilogue.residual && !batch.by_offsets && batch.count > 1) {
    p.epilogue.stride_residual = whole_number(values, "stride_residual", 0, largest_stride / batch.count);
    strides |= p.epilogue.stride_residual;
  }
  if (strides != 0) p.offset_alignment = std::min(p.offset_alignment, std::uint64_t{1} << std::countr_zero(strides));
}

}  // namespace

nlohmann::ordered_json RecordFormat<GemmProblem>::to_json(const GemmProblem& p) {
  nlohmann::ordered_json values{{"operation", Operation<GemmProblem>::name}};
  write_fields(values, p);
  if (is_batched(p))
    values["batch"] = {{"count", p.batch.count},
                       {"stride_a", p.batch.stride_a},
                       {"stride_b", p.batch.stride_b},
                       {"stride_c", p.batch.stride_c},
                       {"by_offsets", p.batch.by_offsets}};
  if (is_batched(p) && p.epilogue.residual) values["batch"]["stride_residual"] = p.epilogue.stride_residual;
  if (has_epilogue(p.epilogue)) values["epilogue"] = to_string(p.epilogue);
  if (p.epilogue.residual) values["ldr"] = p.epilogue.ldr;
  return values;
}

GemmProblem RecordFormat<GemmProblem>::from_json(const Json& values) {
  if (text(values, "operation") != "gemm") throw std::runtime_error("unknown operation");
  GemmProblem p;
  read_fields(values, p);
  if (is_complex(p.type)) throw std::runtime_error("a complex product must be recorded as its real core problem");
  if (values.contains("epilogue")) p.epilogue = parse_epilogue(text(values, "epilogue"));
  if (p.epilogue.residual) p.epilogue.ldr = whole_number(values, "ldr", 1, largest_size);
  p = normalized(p);
  if (const auto batch = values.find("batch"); batch != values.end()) read_batch(p, *batch);
  if (!(Operation<GemmProblem>::work(p) <= max_work))
    throw std::runtime_error("it is more work than any device can do");
  return p;
}

}  // namespace tilewright::detail
