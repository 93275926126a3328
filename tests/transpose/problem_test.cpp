// Problems of transpose in records, and cases as text.
#include <doctest/doctest.h>

#include <stdexcept>

#include "transpose/problem_json.hpp"
#include "transpose/variant.hpp"
#include "verification/transpose/transpose_case.hpp"

namespace tilewright::test {

TEST_SUITE("transpose problem") {
  TEST_CASE("a column-major problem is a row-major problem with m and n swapped") {
    const TransposeProblem p = detail::normalized({.layout = Layout::column_major, .m = 5, .n = 3, .lda = 8});
    CHECK(p == detail::normalized({.m = 3, .n = 5, .lda = 8}));
    CHECK(p.ldb == 3);
  }

  TEST_CASE("strides lower the alignment of offsets; unused strides are ignored") {
    CHECK(detail::normalized({.m = 4, .n = 4, .batch = {2, 24, 20}}).offset_alignment == 4);
    CHECK(detail::normalized({.m = 4, .n = 4, .batch = {1, 3, 5}}) == detail::normalized({.m = 4, .n = 4}));
  }

  TEST_CASE("problems are the same after they were written to a record") {
    using Format = detail::RecordFormat<TransposeProblem>;
    for (const Element& element :
         {Element(DataType::f16), Element(DataType::f64), Element::of_bytes(1), Element::of_bytes(16)})
      for (const bool in_place : {false, true}) {
        const TransposeProblem p = detail::normalized({.type = element,
                                                       .trans = in_place ? Transpose::yes : Transpose::no,
                                                       .m = 40,
                                                       .n = 30,
                                                       .in_place = in_place,
                                                       .batch = {3, 1216, 1216}});
        CHECK(Format::from_json(nlohmann::json::parse(Format::to_json(p).dump())) == p);
        CHECK(detail::Operation<TransposeProblem>::distance(p, p) == 0);
      }
    auto broken = Format::to_json(detail::normalized({.m = 2, .n = 2}));
    broken["element"] = "3 bytes";
    CHECK_THROWS(Format::from_json(nlohmann::json::parse(broken.dump())));
    broken["element"] = "f32";
    broken["lda"] = 1;
    CHECK_THROWS(Format::from_json(nlohmann::json::parse(broken.dump())));
  }

  TEST_CASE("a case is the same after it was written as text") {
    verification::TransposeCase test{.variant = "decomposed", .element = Element::of_bytes(8), .m = 17, .n = 4};
    test.configuration = {{"strip", 8}, {"wg", 1}};
    test.in_place = true;
    test.offsets = {3, 0};
    test.matrices = 2;
    test.memory = verification::Memory::sub_buffer;
    CHECK(verification::parse_transpose_case(to_string(test)) == test);
    CHECK_THROWS_AS(verification::parse_transpose_case("variant=row_reads"), std::invalid_argument);
  }
}

}  // namespace tilewright::test
