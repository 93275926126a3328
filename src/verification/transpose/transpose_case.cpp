#include "verification/transpose/transpose_case.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {
namespace {

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

std::array<std::uint64_t, 2> pair_of(const std::string& text, char separator) {
  const auto numbers = sizes_in(text, separator, 2);
  return {numbers[0], numbers[1]};
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

std::string to_string(const TransposeCase& test) {
  detail::TextStream text;
  text << "variant=" << test.variant << " config=" << to_string(test.configuration)
       << " element=" << name_of(test.element) << " layout=" << (test.layout == Layout::row_major ? "row" : "column")
       << " trans=" << (test.trans == Transpose::yes ? 'T' : 'N') << " place=" << (test.in_place ? "in" : "out")
       << " size=" << test.m << 'x' << test.n << " gap=" << test.gaps[0] << ',' << test.gaps[1]
       << " offset=" << test.offsets[0] << ',' << test.offsets[1] << " align=" << test.offset_alignment
       << " alpha=" << test.alpha << " memory=" << to_string(test.memory) << " batch=" << test.matrices
       << (test.shared ? ",A" : "") << " seed=" << test.seed;
  return text.str();
}

TransposeCase parse_transpose_case(std::string_view text) {
  const CaseFields field(text);
  TransposeCase test;
  test.variant = field["variant"];
  test.configuration = Configuration::parse(field["config"]);
  test.element = element_of(field["element"]);
  test.layout = field["layout"] == "column" ? Layout::column_major : Layout::row_major;
  test.trans = field["trans"] == "T" ? Transpose::yes : Transpose::no;
  test.in_place = field["place"] == "in";
  const auto size = pair_of(field["size"], 'x');
  test.m = size[0];
  test.n = size[1];
  test.gaps = pair_of(field["gap"], ',');
  test.offsets = pair_of(field["offset"], ',');
  test.offset_alignment = detail::parse_whole<std::uint64_t>(field["align"]);
  test.alpha = real_in(field["alpha"]);
  test.memory = parse_memory(field["memory"]);
  const std::string& batch = field["batch"];
  test.matrices = detail::parse_whole<std::uint64_t>(batch.substr(0, batch.find(',')));
  test.shared = field["batch"].ends_with(",A");
  test.seed = detail::parse_whole<std::uint64_t>(field["seed"]);
  return test;
}

}  // namespace tilewright::verification
