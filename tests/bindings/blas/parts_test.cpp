#include "bindings/blas/parts.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <vector>

#include "bindings/blas/decision.hpp"
#include "bindings/blas/read_call.hpp"

namespace tilewright::blas {
namespace {

std::vector<double> memory(100 * 100);

Call call_of(Routine routine, Uplo uplo = Uplo::lower) {
  return {.routine = routine,
          .type = DataType::f64,
          .uplo = uplo,
          .m = 100,
          .n = 100,
          .k = 20,
          .nrhs = 100,
          .lda = 100,
          .ldb = 100,
          .ldc = 100,
          .beta = 1,
          .a = memory.data(),
          .b = memory.data(),
          .c = memory.data()};
}

}  // namespace

TEST_SUITE("parts of BLAS calls") {
  TEST_CASE("the steps of a call cover its result once, and the rest is what later steps cover") {
    for (int number = 0; number <= static_cast<int>(last_routine); ++number)
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Side side : {Side::left, Side::right})
          for (const Layout layout : {Layout::row_major, Layout::column_major})
            for (const std::size_t bytes : {1U, 30000U, 1000000U}) {
              Call call = call_of(static_cast<Routine>(number), uplo);
              call.side = side;
              call.layout = layout;
              const auto which = divisible_result(call);
              if (!which) continue;
              CAPTURE(to_string(call.routine));
              const HostMatrix result = matrices_of(call)[*which];
              REQUIRE(result.is_written);
              const auto counts = [&](std::uint64_t i, std::uint64_t j) {
                return !result.triangle || (*result.triangle == Uplo::lower ? i >= j : i <= j);
              };
              std::vector<int> covered(result.rows * result.columns);
              const std::vector<ResultTile> steps = steps_of(call, bytes);
              CHECK(steps.size() <= 8);
              CHECK((steps.size() == 1) == (bytes == 1000000));
              for (const ResultTile& step : steps) {
                const ResultTile rest = rest_from(call, step);
                for (std::uint64_t i = 0; i < result.rows; ++i)
                  for (std::uint64_t j = 0; j < result.columns; ++j) {
                    const bool is_left =
                        i >= rest.row && j >= rest.column && i < rest.row + rest.rows && j < rest.column + rest.columns;
                    if (counts(i, j) && is_left != (covered[i * result.columns + j] == 0)) FAIL("a wrong rest");
                  }
                for (std::uint64_t i = step.row; i < step.row + step.rows; ++i)
                  for (std::uint64_t j = step.column; j < step.column + step.columns; ++j)
                    ++covered[i * result.columns + j];
              }
              for (std::uint64_t i = 0; i < result.rows; ++i)
                for (std::uint64_t j = 0; j < result.columns; ++j)
                  if (counts(i, j)) REQUIRE(covered[i * result.columns + j] == 1);
            }
  }

  TEST_CASE("factorisations are not divided") {
    for (const Routine routine :
         {Routine::getrf, Routine::gesv, Routine::potrf, Routine::posv, Routine::geqrf, Routine::gels})
      CHECK(!divisible_result(call_of(routine)));
  }

  TEST_CASE("parts have the addresses and sizes of their operands") {
    Call call = call_of(Routine::gemm);
    call.trans_b = Transpose::yes;
    const Call part = part_of(call, {0, 10, 20, 30, 40});
    CHECK(part.m == 30);
    CHECK(part.n == 40);
    CHECK(part.a == memory.data() + 10);
    CHECK(part.b == memory.data() + 20);
    CHECK(part.c == memory.data() + 2010);
    call.layout = Layout::row_major;
    CHECK(part_of(call, {0, 10, 20, 30, 40}).a == memory.data() + 1000);
    Call without_k = call_of(Routine::syr2k);
    without_k.k = 0;
    without_k.a = without_k.b = nullptr;
    for (const Call& one : calls_of(without_k, {1, 50, 50, 50, 25})) {
      CHECK(one.a == nullptr);
      CHECK(one.b == nullptr);
    }
    const std::vector<Call> calls = calls_of(call_of(Routine::syr2k, Uplo::upper), {1, 50, 50, 25, 50});
    REQUIRE(calls.size() == 3);
    CHECK(calls[0].n == 25);
    CHECK(calls[1].routine == Routine::gemm);
    CHECK(calls[1].m == 25);
    CHECK(calls[1].n == 25);
    CHECK(calls[1].c == memory.data() + 7550);
    CHECK(calls[2].beta == Scalar(1));
  }

  TEST_CASE("arguments of a part replace those of the call in each language and width") {
    static constexpr Argument arguments[]{Argument::m, Argument::n, Argument::b};
    Call part = call_of(Routine::gemm);
    part.m = 3;
    part.n = 4;
    std::array<std::int64_t, 4> sizes{};
    for (const bool is_wide : {false, true}) {
      const std::int32_t given = 100;
      Face face{"dgemm_", "", Routine::gemm, DataType::f64, Language::fortran, is_wide, arguments};
      const void* values[]{&given, &given, nullptr};
      write_part(face, part, sizes, values);
      CHECK((is_wide ? *static_cast<const std::int64_t*>(values[0]) : *static_cast<const std::int32_t*>(values[0])) ==
            3);
      CHECK((is_wide ? *static_cast<const std::int64_t*>(values[1]) : *static_cast<const std::int32_t*>(values[1])) ==
            4);
      CHECK(values[2] == part.b);
      CHECK(given == 100);
      Face by_value{"cblas_dgemm", "", Routine::gemm, DataType::f64, Language::cblas, is_wide, arguments};
      std::int64_t m = 100, n = 100;
      const void* of_cblas[]{&m, &n, nullptr};
      write_part(by_value, part, sizes, of_cblas);
      CHECK(m == 3);
      CHECK(n == 4);
    }
  }

  TEST_CASE("a device that works in place needs no time for transfers") {
    Calibration calibration;
    calibration.device_speeds.fill({.upload = 1, .download = 1, .host_copy = 1, .flops = 1e12});
    const Call call = call_of(Routine::gemm);
    CHECK(calibration.device_seconds(call, 1e9) > 1000);
    calibration.is_in_place = true;
    CHECK(calibration.device_seconds(call, 1e9) < 0.01);
  }
}

}  // namespace tilewright::blas
