// Epilogues without a device: text and JSON, normalized problems, distances between records.
#include "gemm/epilogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "support/expect_error.hpp"
#include "verification/gemm/gemm_case.hpp"

namespace tilewright::test {
namespace {

using enum EpilogueVector;
using Gemm = detail::Operation<GemmProblem>;
using Format = detail::RecordFormat<GemmProblem>;

std::vector<GemmEpilogue> every_epilogue() {
  std::vector<GemmEpilogue> all;
  for (const EpilogueVector scale : {none, per_row, per_column})
    for (const EpilogueVector bias : {none, per_row, per_column})
      for (const Activation activation :
           {Activation::none, Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu})
        for (const bool residual : {false, true})
          all.push_back({.scale = scale, .bias = bias, .activation = activation, .residual = residual});
  return all;
}

}  // namespace

TEST_SUITE("epilogue") {
  TEST_CASE("every epilogue has its own text, options and key") {
    std::vector<std::string> texts, options, keys;
    for (const GemmEpilogue& epilogue : every_epilogue()) {
      const std::string text = detail::to_string(epilogue);
      CAPTURE(text);
      CHECK(detail::parse_epilogue(text) == epilogue);
      CHECK(detail::has_epilogue(epilogue) == !text.empty());
      CHECK(detail::epilogue_options({.epilogue = epilogue}).empty() == text.empty());
      texts.push_back(text);
      options.push_back(detail::epilogue_options({.epilogue = epilogue}));
      keys.push_back(detail::problem_key(detail::normalized({.m = 2, .n = 3, .k = 5, .epilogue = epilogue})));
    }
    for (std::vector<std::string>* const all : {&texts, &options, &keys}) {
      std::sort(all->begin(), all->end());
      CHECK(std::adjacent_find(all->begin(), all->end()) == all->end());
    }
    CHECK(detail::parse_epilogue("residual+gelu+bias_column") == detail::parse_epilogue("bias_column+gelu+residual"));
  }

  TEST_CASE("text that does not name an epilogue is refused") {
    for (const char* const wrong : {"elu", "bias", "relu+gelu", "bias_row+bias_column", "relu+relu", "+relu", "relu+",
                                    "relu++gelu", "residual+residual", " relu"})
      CHECK_THROWS_AS(detail::parse_epilogue(wrong), std::invalid_argument);
  }

  TEST_CASE("normalizing a column-major problem swaps rows and columns") {
    const GemmProblem column{.layout = Layout::column_major,
                             .m = 2,
                             .n = 3,
                             .k = 5,
                             .epilogue = {.scale = per_row, .bias = per_column, .residual = true}};
    const GemmProblem row = detail::normalized(column);
    CHECK(row.epilogue == GemmEpilogue{.scale = per_column, .bias = per_row, .residual = true, .ldr = 2});
    CHECK(detail::normalized(row) == row);
  }

  TEST_CASE("unused epilogue fields are normalized to 0") {
    const GemmProblem plain = detail::normalized({.m = 2, .n = 3, .k = 5});
    CHECK(detail::normalized({.m = 2, .n = 3, .k = 5, .epilogue = {.ldr = 7, .stride_residual = 9}}) == plain);
    const GemmEpilogue residual{.residual = true, .ldr = 7, .stride_residual = 9};
    CHECK(detail::normalized({.m = 2, .n = 3, .k = 5, .epilogue = residual}).epilogue.stride_residual == 0);
    const GemmProblem offsets{.m = 2, .n = 3, .k = 5, .batch = {.count = 2, .by_offsets = true}, .epilogue = residual};
    CHECK(detail::normalized(offsets).epilogue.stride_residual == 0);
  }

  TEST_CASE("the residual's leading dimension and stride follow the rules of C") {
    GemmProblem problem{.m = 2, .n = 3, .k = 5, .epilogue = {.residual = true, .ldr = 2}};
    const auto refused = [&](ErrorCode code) {
      return expect_error(code, OperandName::residual, [&] { detail::normalized(problem); });
    };
    CHECK(mentions(refused(ErrorCode::invalid_leading_dimension), "ldr is 2"));
    problem.epilogue.ldr = std::uint64_t{1} << 62;
    refused(ErrorCode::size_overflow);
    problem.epilogue.ldr = 0;
    problem.batch = {.count = 3, .stride_c = 16};
    problem.epilogue.stride_residual = std::uint64_t{1} << 61;
    refused(ErrorCode::size_overflow);
    problem.epilogue.stride_residual = 4;
    CHECK(detail::normalized(problem).offset_alignment == 4);
    CHECK(detail::c_in_vectors(detail::normalized({.m = 4, .n = 8, .k = 1, .epilogue = {.residual = true}}), 8));
    CHECK_FALSE(detail::c_in_vectors(
        detail::normalized({.m = 4, .n = 8, .k = 1, .epilogue = {.residual = true, .ldr = 9}}), 8));
  }

  TEST_CASE("a residual with rows far apart needs 64-bit indices") {
    GemmProblem problem{.m = 64, .n = 64, .k = 64, .epilogue = {.residual = true, .ldr = std::uint64_t{1} << 30}};
    CHECK(detail::needs_64_bit_indices(detail::normalized(problem)));
    problem.epilogue.ldr = 0;
    CHECK_FALSE(detail::needs_64_bit_indices(detail::normalized(problem)));
  }

  TEST_CASE("an epilogue survives a JSON round trip, and is omitted if there is none") {
    for (const GemmEpilogue& epilogue : every_epilogue())
      for (const std::uint64_t count : {1U, 3U}) {
        GemmProblem problem{.m = 2, .n = 3, .k = 5, .epilogue = epilogue};
        if (count > 1) problem.batch = {.count = count, .stride_a = 16, .stride_b = 16, .stride_c = 16};
        if (epilogue.residual) {
          problem.epilogue.ldr = 8;
          problem.epilogue.stride_residual = 32;
        }
        problem = detail::normalized(problem);
        const auto values = Format::to_json(problem);
        CHECK(values.contains("epilogue") == detail::has_epilogue(epilogue));
        CHECK(values.contains("ldr") == epilogue.residual);
        CHECK(Format::from_json(values) == problem);
      }
  }

  TEST_CASE("JSON with an unknown epilogue is refused") {
    auto values = Format::to_json(detail::normalized({.m = 2, .n = 3, .k = 5, .epilogue = {.residual = true}}));
    values["epilogue"] = "swish";
    CHECK_THROWS(Format::from_json(values));
    values["epilogue"] = "residual";
    CHECK_NOTHROW(Format::from_json(values));
    values.erase("ldr");
    CHECK_THROWS(Format::from_json(values));
  }

  TEST_CASE("records with the same epilogue are preferred to records of the plain product") {
    const GemmProblem plain = detail::normalized({.m = 64, .n = 64, .k = 64});
    GemmProblem fused = plain, larger = plain;
    fused.epilogue.activation = Activation::relu;
    larger.k = 128;
    CHECK(Gemm::same_kind(plain, fused));
    CHECK(Gemm::distance(fused, fused) == 0);
    CHECK(Gemm::distance(fused, plain) > 0);
    CHECK(Gemm::distance(fused, plain) < Gemm::distance(plain, larger));
  }

  TEST_CASE("the text of a case with an epilogue reproduces the case") {
    for (const GemmEpilogue& epilogue : every_epilogue()) {
      verification::GemmCase test;
      test.variant = "naive";
      test.epilogue = epilogue;
      CHECK(verification::parse_gemm_case(verification::to_string(test)) == test);
    }
  }
}

}  // namespace tilewright::test
