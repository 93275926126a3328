// Impossible problems and choices: each has its own error. These tests need no device.
#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {
namespace {

const GemmProblem some_problem{.m = 100, .n = 200, .k = 300};
constexpr std::uint64_t huge = std::uint64_t{1} << 40;

std::string refused(ErrorCode code, const GemmProblem& problem, const Choice& choice = {}) {
  return expect_error(code, [&] { return explain_gemm(typical_nvidia_gpu(), problem, choice); });
}

}  // namespace

TEST_SUITE("choice errors") {
  TEST_CASE("an unknown variant is refused, and the message lists the known ones") {
    for (const char* name : {"fastest", "Naive", "naive ", "na"}) {
      const auto message = refused(ErrorCode::unknown_variant, some_problem, {name, {}});
      CHECK(mentions(message, name));
      for (const VariantInfo& variant : gemm_variants()) CHECK(mentions(message, variant.name));
      expect_error(ErrorCode::unknown_variant, [&] { return gemm_support(typical_gpu(), name, some_problem); });
    }
  }

  TEST_CASE("an unknown parameter is refused, and the message lists the known ones") {
    for (const VariantInfo& variant : gemm_variants()) {
      const auto message = refused(ErrorCode::unknown_parameter, some_problem, {variant.name, {{"bogus", 1}}});
      CHECK(mentions(message, "bogus"));
      CHECK(mentions(message, variant.name));
      for (const Parameter& parameter : variant.parameters) CHECK(mentions(message, parameter.name));
    }
    refused(ErrorCode::unknown_parameter, some_problem, {"", {{"bogus", 1}}});
  }

  TEST_CASE("a value that no kernel accepts is refused, and the message names the parameter") {
    for (const VariantInfo& variant : gemm_variants()) {
      if (!gemm_support(typical_gpu(), variant.name, some_problem).supported) continue;
      for (const Parameter& parameter : variant.parameters)
        for (const std::int64_t value :
             {std::int64_t{-1}, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max(),
              std::numeric_limits<std::int64_t>::min()}) {
          CAPTURE(variant.name);
          CAPTURE(parameter.name);
          CAPTURE(value);
          const auto message =
              refused(ErrorCode::invalid_configuration, some_problem, {variant.name, {{parameter.name, value}}});
          CHECK(mentions(message, parameter.name));
          CHECK(mentions(message, std::to_string(value)));
        }
    }
  }

  TEST_CASE("a combination that breaks a constraint is refused, with the rule and its reason") {
    const auto strip =
        refused(ErrorCode::invalid_configuration, some_problem, {"register_strip", {{"tile_m", 10}, {"strip", 4}}});
    CHECK(mentions(strip, "multiple of strip"));
    CHECK(mentions(strip, "does not cross tiles"));
    const auto group = refused(ErrorCode::invalid_configuration, some_problem, {"naive", {{"wg_m", 64}, {"wg_n", 64}}});
    CHECK(mentions(group, "4096"));  // requested
    CHECK(mentions(group, "1024"));  // available
    const auto local = refused(ErrorCode::invalid_configuration, some_problem,
                               {"local_tile", {{"tile_m", 32}, {"tile_n", 32}, {"tile_k", 256}}});
    CHECK(mentions(local, "65536"));
    CHECK(mentions(local, "49152"));
  }

  TEST_CASE("a leading dimension shorter than a row or a column is refused, and the message gives the minimum") {
    struct Wrong {
      GemmProblem problem;
      const char* name;
      const char* least;
    };
    GemmProblem row{.m = 10, .n = 20, .k = 30, .lda = 30, .ldb = 20, .ldc = 20};
    CHECK_NOTHROW(explain_gemm(typical_gpu(), row));
    GemmProblem column{.layout = Layout::column_major, .m = 10, .n = 20, .k = 30, .lda = 10, .ldb = 30, .ldc = 10};
    CHECK_NOTHROW(explain_gemm(typical_gpu(), column));
    GemmProblem transposed = row;
    transposed.trans_a = transposed.trans_b = Transpose::yes;
    transposed.lda = 10;
    transposed.ldb = 30;
    CHECK_NOTHROW(explain_gemm(typical_gpu(), transposed));

    const auto less = [](GemmProblem problem, std::uint64_t GemmProblem::*leading) {
      problem.*leading -= 1;
      return problem;
    };
    for (const Wrong& wrong : {Wrong{less(row, &GemmProblem::lda), "lda", "30"},
                               {less(row, &GemmProblem::ldb), "ldb", "20"},
                               {less(row, &GemmProblem::ldc), "ldc", "20"},
                               {less(column, &GemmProblem::lda), "lda", "10"},
                               {less(column, &GemmProblem::ldb), "ldb", "30"},
                               {less(column, &GemmProblem::ldc), "ldc", "10"},
                               {less(transposed, &GemmProblem::lda), "lda", "10"},
                               {less(transposed, &GemmProblem::ldb), "ldb", "30"}}) {
      const auto message = refused(ErrorCode::invalid_leading_dimension, wrong.problem);
      CHECK(mentions(message, wrong.name));
      CHECK(mentions(message, wrong.least));
      expect_error(ErrorCode::invalid_leading_dimension,
                   [&] { return gemm_support(typical_gpu(), "naive", wrong.problem); });
    }
  }

  TEST_CASE("a leading dimension of 0 means dense storage") {
    CHECK_NOTHROW(explain_gemm(typical_gpu(), {.m = 10, .n = 20, .k = 30}));
    CHECK_NOTHROW(explain_gemm(typical_gpu(), {.m = 0, .n = 0, .k = 0}));
    CHECK_NOTHROW(explain_gemm(typical_gpu(), {.m = 1, .n = 1, .k = 0, .lda = 1, .ldb = 1, .ldc = 1}));
  }

  TEST_CASE("sizes beyond 64-bit byte offsets are refused") {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    refused(ErrorCode::size_overflow, {.m = huge, .n = 1, .k = huge});
    refused(ErrorCode::size_overflow, {.m = 1, .n = huge, .k = huge});
    refused(ErrorCode::size_overflow, {.m = huge, .n = huge, .k = 1});
    refused(ErrorCode::size_overflow, {.m = most, .n = 1, .k = 1});
    refused(ErrorCode::size_overflow, {.m = 1, .n = 1, .k = most});
    refused(ErrorCode::size_overflow, {.m = 3, .n = 4, .k = 5, .lda = most});
    refused(ErrorCode::size_overflow, {.m = 3, .n = 4, .k = 5, .ldb = most / 2});
    refused(ErrorCode::size_overflow, {.m = 3, .n = 4, .k = 5, .ldc = most / 4});
    // Three rows of 2^59 elements can be addressed in bytes as f32, but not as f64.
    const GemmProblem edge{.m = 3, .n = 1, .k = 1, .lda = std::uint64_t{1} << 59};
    CHECK_NOTHROW(explain_gemm(typical_gpu(), edge));
    GemmProblem over = edge;
    over.type = DataType::f64;
    refused(ErrorCode::size_overflow, over);
  }

  TEST_CASE("an alignment that is not a power of two is refused") {
    for (const std::uint64_t alignment : {0U, 3U, 24U}) {
      GemmProblem problem = some_problem;
      problem.offset_alignment = alignment;
      refused(ErrorCode::invalid_offset, problem);
    }
  }
}

}  // namespace tilewright::test
