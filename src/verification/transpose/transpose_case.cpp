#include "verification/transpose/transpose_case.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {
namespace {

constexpr Word<bool> place_words[] = {{true, "in"}, {false, "out"}};

std::string name_of(const Element& element) {
  return element.number() ? std::string(to_string(*element.number())) : std::to_string(element.bytes());
}

Element element_of(const std::string& name) {
  if (const auto type = detail::find_data_type(name)) return *type;
  return Element::of_bytes(detail::parse_whole<std::size_t>(name));
}

StoredShape shape(const TransposeCase& test, bool transposed, std::uint64_t gap) {
  const bool by_columns = (test.layout == Layout::column_major) != transposed;
  StoredShape result{by_columns ? test.n : test.m, by_columns ? test.m : test.n, 0};
  result.leading = result.length + gap;
  return result;
}

}  // namespace

StoredShape shape_of_a(const TransposeCase& test) { return shape(test, false, test.gaps[0]); }
StoredShape shape_of_b(const TransposeCase& test) { return shape(test, test.trans == Transpose::yes, test.gaps[1]); }

std::uint64_t stride_of(const TransposeCase& test) {
  const std::uint64_t span = std::max(shape_of_a(test).span(), shape_of_b(test).span());
  return (span / test.offset_alignment + 2) * test.offset_alignment;
}

TransposeProblem problem_of(const TransposeCase& test) {
  TransposeProblem problem{.type = test.element,
                           .layout = test.layout,
                           .trans = test.trans,
                           .m = test.m,
                           .n = test.n,
                           .lda = shape_of_a(test).leading,
                           .ldb = shape_of_b(test).leading,
                           .in_place = test.in_place,
                           .offset_alignment = test.offset_alignment};
  if (test.matrices != 1) problem.batch = {test.matrices, test.shared ? 0 : stride_of(test), stride_of(test)};
  return problem;
}

void list_fields(CaseText& text, TransposeCase& test) {
  text("variant", test.variant);
  text("config", test.configuration);
  text.by("element", test.element, name_of, element_of);
  text("layout", test.layout);
  text.letters("trans", test.trans);
  text.word("place", test.in_place, place_words);
  text.list("size", 'x', test.m, test.n);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text("align", test.offset_alignment);
  text("alpha", test.alpha);
  text("memory", test.memory);
  text.marked("batch", test.matrices, {{test.shared, "A"}});
  text("seed", test.seed);
}

std::string to_string(const TransposeCase& test) { return case_text(test); }

TransposeCase parse_transpose_case(std::string_view text) { return read_case<TransposeCase>(text); }

}  // namespace tilewright::verification
