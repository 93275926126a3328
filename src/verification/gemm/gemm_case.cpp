#include "verification/gemm/gemm_case.hpp"

#include <stdexcept>

#include "gemm/epilogue.hpp"
#include "gemm/problem.hpp"
#include "gemm/variant.hpp"
#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {
namespace {

Accuracy accuracy_of(const std::string& wanted) {
  if (const auto known = detail::find_accuracy(wanted)) return *known;
  throw std::invalid_argument("unknown accuracy '" + wanted + "'");
}

std::string join(const std::array<std::uint64_t, 3>& values, char separator) {
  return std::to_string(values[0]) + separator + std::to_string(values[1]) + separator + std::to_string(values[2]);
}

std::array<std::uint64_t, 3> split(const std::string& text, char separator) {
  const auto values = sizes_in(text, separator, 3);
  return {values[0], values[1], values[2]};
}

StoredShape shape(const GemmCase& test, Transpose transpose, std::uint64_t rows, std::uint64_t columns, int index) {
  const bool by_columns = (test.layout == Layout::column_major) != (transpose != Transpose::no);
  StoredShape result{by_columns ? columns : rows, by_columns ? rows : columns, 0};
  result.leading = result.length + test.gaps[static_cast<std::size_t>(index)];
  return result;
}

Batch batch_of(const GemmCase& test) {
  if (test.by_offsets || test.products == 1) return {.count = test.products, .by_offsets = test.by_offsets};
  return {.count = test.products,
          .stride_a = test.shared[0] ? 0 : stride_of(test, shape_of_a(test)),
          .stride_b = test.shared[1] ? 0 : stride_of(test, shape_of_b(test)),
          .stride_c = stride_of(test, shape_of_c(test))};
}

GemmEpilogue epilogue_of(const GemmCase& test) {
  GemmEpilogue epilogue = test.epilogue;
  if (!epilogue.residual) return epilogue;
  const StoredShape residual = shape_of_residual(test);
  const bool has_stride = !test.by_offsets && residual_count(test) > 1;
  epilogue.ldr = residual.leading;
  epilogue.stride_residual = has_stride ? stride_of(test, residual) : 0;
  return epilogue;
}

}  // namespace

std::uint64_t stride_of(const GemmCase& test, const StoredShape& shape) {
  return (shape.span() / test.offset_alignment + 2) * test.offset_alignment;
}

StoredShape shape_of_a(const GemmCase& test) { return shape(test, test.trans_a, test.m, test.k, 0); }
StoredShape shape_of_b(const GemmCase& test) { return shape(test, test.trans_b, test.k, test.n, 1); }
StoredShape shape_of_c(const GemmCase& test) { return shape(test, Transpose::no, test.m, test.n, 2); }

StoredShape shape_of_residual(const GemmCase& test) {
  StoredShape result = shape_of_c(test);
  if (!test.by_offsets) result.leading += test.offset_alignment;
  return result;
}

std::uint64_t residual_count(const GemmCase& test) { return test.shared[1] && !test.by_offsets ? 1 : test.products; }

GemmProblem problem_of(const GemmCase& test) {
  return {.type = test.type,
          .type_c = test.type_c,
          .accuracy = test.accuracy,
          .layout = test.layout,
          .trans_a = test.trans_a,
          .trans_b = test.trans_b,
          .m = test.m,
          .n = test.n,
          .k = test.k,
          .lda = shape_of_a(test).leading,
          .ldb = shape_of_b(test).leading,
          .ldc = shape_of_c(test).leading,
          .offset_alignment = test.offset_alignment,
          .batch = batch_of(test),
          .epilogue = epilogue_of(test)};
}

std::string to_string(const GemmCase& test) {
  detail::TextStream text;
  text << "variant=" << test.variant << " config=" << to_string(test.configuration) << " type=" << to_string(test.type);
  if (test.type_c) text << " type_c=" << to_string(*test.type_c);
  if (test.accuracy != Accuracy::full) text << " accuracy=" << to_string(test.accuracy);
  text << " layout=" << (test.layout == Layout::row_major ? "row" : "column") << " trans=" << letter_of(test.trans_a)
       << letter_of(test.trans_b) << " size=" << join({test.m, test.n, test.k}, 'x') << " gap=" << join(test.gaps, ',')
       << " offset=" << join(test.offsets, ',') << " align=" << test.offset_alignment
       << " alpha=" << text_of(test.alpha) << " beta=" << text_of(test.beta) << " data=" << to_string(test.data)
       << " specials=" << test.specials << " memory=" << to_string(test.memory) << " batch=" << test.products
       << (test.by_offsets ? ",offsets" : ",strides") << (test.shared[0] ? ",A" : "") << (test.shared[1] ? ",B" : "")
       << " seed=" << test.seed;
  if (detail::has_epilogue(test.epilogue)) text << " epilogue=" << detail::to_string(test.epilogue);
  return text.str();
}

GemmCase parse_gemm_case(std::string_view text) {
  const CaseFields field(text);
  GemmCase test;
  test.variant = field["variant"];
  test.configuration = Configuration::parse(field["config"]);
  test.type = parse_data_type(field["type"]);
  if (field.has("type_c")) test.type_c = parse_data_type(field["type_c"]);
  if (field.has("accuracy")) test.accuracy = accuracy_of(field["accuracy"]);
  test.layout = field["layout"] == "column" ? Layout::column_major : Layout::row_major;
  test.trans_a = parse_transpose(field["trans"].at(0));
  test.trans_b = parse_transpose(field["trans"].at(1));
  const auto size = split(field["size"], 'x');
  test.m = size[0];
  test.n = size[1];
  test.k = size[2];
  test.gaps = split(field["gap"], ',');
  test.offsets = split(field["offset"], ',');
  test.offset_alignment = detail::parse_whole<std::uint64_t>(field["align"]);
  test.alpha = parse_scalar(field["alpha"]);
  test.beta = parse_scalar(field["beta"]);
  test.data = parse_data_kind(field["data"]);
  test.specials = field["specials"] == "1";
  test.memory = parse_memory(field["memory"]);
  const std::string batch = field["batch"];
  test.products = detail::parse_whole<std::uint64_t>(batch.substr(0, batch.find(',')));
  test.by_offsets = batch.find(",offsets") != std::string::npos;
  test.shared = {batch.find(",A") != std::string::npos, batch.find(",B") != std::string::npos};
  test.seed = detail::parse_whole<std::uint64_t>(field["seed"]);
  if (field.has("epilogue")) test.epilogue = detail::parse_epilogue(field["epilogue"]);
  return test;
}

}  // namespace tilewright::verification
