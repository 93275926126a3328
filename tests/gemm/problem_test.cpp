#include "gemm/problem.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

constexpr std::uint64_t two_to_31 = std::uint64_t{1} << 31;

bool is_wide(const GemmProblem& problem) { return detail::needs_64_bit_indices(detail::normalized(problem)); }

}  // namespace

TEST_SUITE("problem") {
  TEST_CASE("a column-major product becomes the row-major product of its transposes") {
    const GemmProblem column{.type = DataType::f64,
                             .layout = Layout::column_major,
                             .trans_a = Transpose::yes,
                             .m = 2,
                             .n = 3,
                             .k = 5,
                             .lda = 7,
                             .ldb = 8,
                             .ldc = 9};
    const GemmProblem row{
        .type = DataType::f64, .trans_b = Transpose::yes, .m = 3, .n = 2, .k = 5, .lda = 8, .ldb = 7, .ldc = 9};
    CHECK(detail::normalized(column) == row);
    CHECK(detail::normalized(row) == row);
  }

  TEST_CASE("C's type is present only if it differs from the type of A and B") {
    const auto of_c = [](DataType type, std::optional<DataType> type_c) {
      return detail::normalized({.type = type, .type_c = type_c, .m = 2, .n = 3, .k = 5}).type_c;
    };
    for (const detail::ElementType& entry : detail::element_types()) {
      if (detail::is_integer(entry.type)) continue;
      CHECK(of_c(entry.type, {}) == std::nullopt);
      CHECK(of_c(entry.type, entry.type) == std::nullopt);
      if (entry.accumulator != entry.type) CHECK(of_c(entry.type, entry.accumulator) == entry.accumulator);
    }
    const auto none = static_cast<DataType>(99);
    CHECK(mentions(expect_error(ErrorCode::unsupported_type, [&] { of_c(DataType::f16, none); }), "99"));
    // With elements of two bytes C would be addressable.
    const GemmProblem large{.type = DataType::f16, .m = std::uint64_t{1} << 31, .n = std::uint64_t{1} << 30, .k = 1};
    CHECK_NOTHROW(detail::normalized(large));
    GemmProblem too_large = large;
    too_large.type_c = DataType::f32;
    expect_error(ErrorCode::size_overflow, OperandName::c, [&] { detail::normalized(too_large); });
  }

  TEST_CASE("integer C is i32 unless it is quantized; A and B are never i32") {
    for (const DataType type : {DataType::i8, DataType::u8}) {
      const GemmProblem unset{.type = type, .m = 2, .n = 3, .k = 5};
      GemmProblem set = unset;
      set.type_c = DataType::i32;
      CHECK(detail::type_of_c(unset) == DataType::i32);
      CHECK_FALSE(detail::normalized(unset).type_c);
      CHECK(detail::normalized(unset) == detail::normalized(set));
      CHECK(detail::normalized(detail::normalized(unset)) == detail::normalized(unset));
      for (const DataType rounded : {type, DataType::f32}) {
        set.type_c = rounded;
        CHECK(detail::normalized(set).type_c == rounded);
        CHECK(detail::normalized(detail::normalized(set)) == detail::normalized(set));
      }
      for (const DataType other : {type == DataType::i8 ? DataType::u8 : DataType::i8, DataType::f64, DataType::f16}) {
        set.type_c = other;
        CHECK(mentions(expect_error(ErrorCode::unsupported_type, OperandName::c, [&] { detail::normalized(set); }),
                       "it can be f32 or " + std::string(to_string(type)) + " or i32"));
      }
      // Exact sums have no epilogue. Quantized sums have no residual, and only they have a zero point.
      GemmProblem fused = unset;
      fused.epilogue.activation = Activation::relu;
      CHECK(mentions(expect_error(ErrorCode::unsupported_type, [&] { detail::normalized(fused); }), "no epilogue"));
      fused.type_c = type;
      fused.epilogue.zero_point = -3;
      CHECK(detail::normalized(fused).epilogue.zero_point == -3);
      fused.epilogue.residual = true;
      expect_error(ErrorCode::unsupported_type, OperandName::residual, [&] { detail::normalized(fused); });
      fused.type_c = DataType::f32;
      CHECK(mentions(expect_error(ErrorCode::unsupported_type, [&] { detail::normalized(fused); }), "no zero point"));
      fused.epilogue.zero_point = 0;
      CHECK_NOTHROW(detail::normalized(fused));
    }
    for (const DataType type : {DataType::f32, DataType::f16}) {
      const GemmProblem real{.type = type, .m = 2, .n = 3, .k = 5, .epilogue = {.zero_point = 1}};
      expect_error(ErrorCode::unsupported_type, [&] { detail::normalized(real); });
    }
    const GemmProblem sums{.type = DataType::i32, .m = 2, .n = 3, .k = 5};
    CHECK(mentions(expect_error(ErrorCode::unsupported_type, [&] { detail::normalized(sums); }),
                   "A and B cannot be i32"));
  }

  TEST_CASE("C's type survives a JSON round trip and distinguishes problems") {
    using Format = detail::RecordFormat<GemmProblem>;
    using Gemm = detail::Operation<GemmProblem>;
    GemmProblem one = detail::normalized({.type = DataType::bf16, .m = 2, .n = 3, .k = 5});
    CHECK_FALSE(Format::to_json(one).contains("type_c"));
    GemmProblem other = one;
    other.type_c = DataType::f32;
    for (const GemmProblem& p : {one, other})
      CHECK(Format::from_json(nlohmann::json::parse(Format::to_json(p).dump())) == p);
    CHECK(detail::problem_key(one) != detail::problem_key(other));
    CHECK(detail::problem_hash(one) != detail::problem_hash(other));
    CHECK_FALSE(Gemm::same_kind(one, other));
    auto broken = Format::to_json(one);
    for (const char* const type : {"f64", "f8"}) {
      broken["type_c"] = type;
      CHECK_THROWS(Format::from_json(nlohmann::json::parse(broken.dump())));
    }
  }

  TEST_CASE("the accuracy survives a JSON round trip, distinguishes problems, and is only for f32") {
    using Format = detail::RecordFormat<GemmProblem>;
    using Gemm = detail::Operation<GemmProblem>;
    const GemmProblem full = detail::normalized({.m = 2, .n = 3, .k = 5});
    CHECK_FALSE(Format::to_json(full).contains("accuracy"));
    for (const Accuracy accuracy : {Accuracy::fp32_split, Accuracy::tf32}) {
      GemmProblem less = full;
      less.accuracy = accuracy;
      CHECK(Format::from_json(nlohmann::json::parse(Format::to_json(less).dump())) == less);
      CHECK(detail::find_accuracy(to_string(accuracy)) == accuracy);
      CHECK(detail::problem_key(full) != detail::problem_key(less));
      CHECK(detail::problem_hash(full) != detail::problem_hash(less));
      CHECK_FALSE(Gemm::same_kind(full, less));
      for (const DataType type : {DataType::f16, DataType::bf16, DataType::f64}) {
        less.type = type;
        CHECK(mentions(expect_error(ErrorCode::unsupported_type, [&] { detail::normalized(less); }),
                       std::string(to_string(accuracy))));
      }
    }
    auto broken = Format::to_json(full);
    broken["accuracy"] = "fair";
    CHECK_THROWS(Format::from_json(nlohmann::json::parse(broken.dump())));
    CHECK_FALSE(detail::find_accuracy("fair"));
    const GemmProblem none{.accuracy = static_cast<Accuracy>(9), .m = 2, .n = 3, .k = 5};
    CHECK(mentions(expect_error(ErrorCode::unsupported_type, [&] { detail::normalized(none); }), "9"));
  }

  TEST_CASE("default leading dimensions are filled in") {
    const GemmProblem p = detail::normalized({.trans_b = Transpose::yes, .m = 2, .n = 3, .k = 5});
    CHECK(p.lda == 5);
    CHECK(p.ldb == 5);
    CHECK(p.ldc == 3);
    CHECK(detail::stored_b(p).rows == 3);
    CHECK(detail::stored_a(p).extent() == 10);
    CHECK(detail::StoredMatrix{3, 4, 10}.extent() == 24);
    CHECK(detail::StoredMatrix{0, 4, 10}.extent() == 0);
  }

  TEST_CASE("arguments are checked in the caller's order and under the caller's names") {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      const auto refused = [&](ErrorCode code, OperandName operand, GemmProblem problem) {
        problem.layout = layout;
        return expect_error(code, operand, [&] { detail::normalized(problem); });
      };
      using enum OperandName;
      CHECK(mentions(
          refused(ErrorCode::invalid_leading_dimension, a, {.m = 20, .n = 30, .k = 20, .lda = 7, .ldb = 8, .ldc = 9}),
          "lda is 7"));
      CHECK(mentions(
          refused(ErrorCode::invalid_leading_dimension, b, {.m = 20, .n = 30, .k = 40, .lda = 50, .ldb = 8, .ldc = 9}),
          "ldb is 8"));
      CHECK(mentions(
          refused(ErrorCode::invalid_leading_dimension, c, {.m = 20, .n = 30, .k = 40, .lda = 50, .ldb = 50, .ldc = 9}),
          "ldc is 9"));
      constexpr std::uint64_t huge = std::uint64_t{1} << 60;
      CHECK(mentions(refused(ErrorCode::size_overflow, a, {.m = 20, .n = 30, .k = 40, .lda = huge, .ldb = huge}),
                     "A of 20 x 40 elements"));
      CHECK(mentions(refused(ErrorCode::size_overflow, b,
                             {.trans_b = Transpose::yes, .m = 20, .n = 30, .k = 40, .ldb = huge, .ldc = huge}),
                     "B of 30 x 40 elements"));
      const auto strided = [](std::uint64_t stride_a, std::uint64_t stride_b, std::uint64_t stride_c) {
        return GemmProblem{.m = 2,
                           .n = 3,
                           .k = 4,
                           .batch = {.count = 100, .stride_a = stride_a, .stride_b = stride_b, .stride_c = stride_c}};
      };
      refused(ErrorCode::size_overflow, a, strided(huge, huge, huge));
      refused(ErrorCode::size_overflow, b, strided(1, huge, huge));
      refused(ErrorCode::size_overflow, c, strided(1, 1, huge));
      refused(ErrorCode::overlapping_operands, c, strided(1, 1, 1));
    }
  }

  TEST_CASE("a batch of any size is checked in constant time") {
    constexpr std::uint64_t many = 1 << 20;
    GemmProblem problem{.m = many, .n = 1, .k = 1, .ldc = many};
    problem.batch = {.count = many, .stride_a = many, .stride_b = 1, .stride_c = 1};
    CHECK_NOTHROW(detail::normalized(problem));
    problem.batch.stride_c = 3;  // product `many` / 3 lands in the next row
    CHECK_NOTHROW(detail::normalized(problem));
    problem.batch.stride_c = 4;
    const std::string message = expect_error(ErrorCode::overlapping_operands, [&] { detail::normalized(problem); });
    CHECK(mentions(message, "C number 262144 of the batch"));
  }

  TEST_CASE("64-bit indices are used only where a matrix exceeds 2^31 elements") {
    CHECK_FALSE(is_wide({.m = 1, .n = 1, .k = 1}));
    CHECK_FALSE(is_wide({.m = 4096, .n = 4096, .k = 4096}));
    CHECK_FALSE(is_wide({.m = 16384, .n = 16384, .k = 16384}));
    CHECK_FALSE(is_wide({.m = 1 << 20, .n = 64, .k = 64}));
    CHECK(is_wide({.m = 50000, .n = 50000, .k = 1}));
    CHECK(is_wide({.m = 50000, .n = 1, .k = 50000}));
    CHECK(is_wide({.m = 1, .n = 50000, .k = 50000}));
    CHECK(is_wide({.m = 2, .n = 2, .k = 2, .lda = two_to_31}));
    CHECK(is_wide({.m = 2, .n = 2, .k = 2, .ldb = two_to_31}));
    CHECK(is_wide({.m = 2, .n = 2, .k = 2, .ldc = two_to_31}));
    CHECK(is_wide({.m = 1, .n = 1, .k = 1, .ldc = two_to_31}));  // because ldc is itself an argument
    CHECK(is_wide({.m = two_to_31, .n = 1, .k = 1}));
    CHECK(is_wide({.m = two_to_31 - 1, .n = 1, .k = 1}));  // the next tile's first row
    CHECK(is_wide({.m = 1, .n = 1, .k = two_to_31 / 4}));  // copies are padded to tiles of 64 rows
  }

  TEST_CASE("rows are read in vectors only if all rows are whole and aligned") {
    CHECK(detail::rows_in_vectors({3, 8, 16}, 16, 4));
    CHECK_FALSE(detail::rows_in_vectors({3, 6, 16}, 16, 4));
    CHECK_FALSE(detail::rows_in_vectors({3, 8, 18}, 16, 4));
    CHECK_FALSE(detail::rows_in_vectors({3, 8, 16}, 2, 4));
    CHECK(detail::rows_in_vectors({3, 7, 7}, 1, 1));
  }
}

}  // namespace tilewright::test
