#include "verification/gemm/gemm_case.hpp"

#include <stdexcept>

#include "gemm/epilogue.hpp"
#include "gemm/problem.hpp"
#include "gemm/variant.hpp"

namespace tilewright::verification {
namespace {

Accuracy accuracy_of(const std::string& wanted) {
  if (const auto known = detail::find_accuracy(wanted)) return *known;
  throw std::invalid_argument("unknown accuracy '" + wanted + "'");
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

void list_fields(CaseText& text, GemmCase& test) {
  text("variant", test.variant);
  text("config", test.configuration);
  text("type", test.type);
  const auto name_of = [](const auto& type) { return to_string(*type); };
  text.unless(std::optional<DataType>(), "type_c", test.type_c, name_of, parse_data_type);
  const auto name = [](Accuracy accuracy) { return to_string(accuracy); };
  text.unless(Accuracy::full, "accuracy", test.accuracy, name, accuracy_of);
  text("layout", test.layout);
  text.letters("trans", test.trans_a, test.trans_b);
  text.list("size", 'x', test.m, test.n, test.k);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text("align", test.offset_alignment);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text("data", test.data);
  text("specials", test.specials);
  text("memory", test.memory);
  text.marked("batch", test.products,
              {{test.by_offsets, "offsets", "strides"}, {test.shared[0], "A"}, {test.shared[1], "B"}});
  text("seed", test.seed);
  const auto steps = [](const GemmEpilogue& epilogue) { return detail::to_string(epilogue); };
  text.unless(GemmEpilogue(), "epilogue", test.epilogue, steps, detail::parse_epilogue);
}

std::string to_string(const GemmCase& test) { return case_text(test); }

GemmCase parse_gemm_case(std::string_view text) { return read_case<GemmCase>(text); }

}  // namespace tilewright::verification
