#include "gemm/problem_json.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "gemm/epilogue.hpp"
#include "gemm/variant.hpp"
#include "selection/json_line.hpp"
#include "selection/record_json.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

DataType type_of(const std::string& name) {
  if (const auto known = find_data_type(name)) return *known;
  throw std::runtime_error("the type " + name + " is unknown");
}

Accuracy accuracy_of(const std::string& name) {
  if (const auto known = find_accuracy(name)) return *known;
  throw std::runtime_error("the accuracy " + name + " is unknown");
}

Transpose transpose_of(char letter) {
  if (letter != 'N' && letter != 'T') throw std::runtime_error("a transpose must be N or T");
  return letter == 'T' ? Transpose::yes : Transpose::no;
}

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
  nlohmann::ordered_json values{{"operation", "gemm"},
                                {"type", to_string(p.type)},
                                {"trans", transposes_of(p)},
                                {"m", p.m},
                                {"n", p.n},
                                {"k", p.k},
                                {"lda", p.lda},
                                {"ldb", p.ldb},
                                {"ldc", p.ldc},
                                {"offset_alignment", p.offset_alignment}};
  if (p.type_c) values["type_c"] = to_string(*p.type_c);
  if (p.accuracy != Accuracy::full) values["accuracy"] = to_string(p.accuracy);
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
  p.type = type_of(text(values, "type"));
  if (values.contains("type_c")) p.type_c = type_of(text(values, "type_c"));
  if (values.contains("accuracy")) p.accuracy = accuracy_of(text(values, "accuracy"));
  const std::string trans = text(values, "trans");
  if (trans.size() != 2) throw std::runtime_error("trans must be two letters");
  p.trans_a = transpose_of(trans[0]);
  p.trans_b = transpose_of(trans[1]);
  for (const auto& [name, value] : {std::pair{"m", &p.m},
                                    {"n", &p.n},
                                    {"k", &p.k},
                                    {"lda", &p.lda},
                                    {"ldb", &p.ldb},
                                    {"ldc", &p.ldc},
                                    {"offset_alignment", &p.offset_alignment}})
    *value = whole_number(values, name, 1, largest_size);
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
