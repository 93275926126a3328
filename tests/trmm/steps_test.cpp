// The steps of triangular products, run in plain loops: every form, orders around multiples of the block, parts of one
// or several blocks, and batches.
#include "trmm/steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "support/host_product.hpp"
#include "support/profiles.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using detail::TrmmStep, detail::TrmmSteps, detail::TrmmSystem;

Complex number(std::uint64_t i) { return {static_cast<double>(i * 7 % 11) - 5, static_cast<double>(i * 5 % 13) - 6}; }

// Element (i, k) of T.
Complex element_of_t(const TrmmSystem& system, const std::vector<Complex>& a, std::uint64_t x, std::uint64_t i,
                     std::uint64_t k) {
  if (system.is_upper ? k < i : k > i) return 0;
  const Complex value = a[x * system.problem.batch.stride_a + i * system.t_row_step + k * system.t_column_step];
  return system.problem.trans == Transpose::conjugate_transpose ? std::conj(value) : value;
}

// Rows of sums of one part, laid out as the steps say.
struct Sums {
  const TrmmSteps& steps;
  std::uint64_t first = 0;  // row of B that comes first
  std::vector<Complex> values{};

  Complex& at(std::uint64_t x, std::uint64_t i, std::uint64_t line) {
    return values[x * steps.copy.stride + (i - first) * steps.copy.step + line * steps.copy.line_step];
  }
};

// Multiplies rows [begin, end) of B by the part of T in these rows and columns. `sums`: receives the product instead.
void multiply(const TrmmSystem& system, const std::vector<Complex>& a, std::vector<Complex>& b, std::uint64_t begin,
              std::uint64_t end, Sums* sums = nullptr) {
  for (std::uint64_t x = 0; x < system.problem.batch.count; ++x)
    for (std::uint64_t line = 0; line < system.lines; ++line) {
      const auto place = [&](std::uint64_t i) {
        return x * system.problem.batch.stride_b + i * system.step + line * system.line_step;
      };
      std::vector<Complex> product;
      for (std::uint64_t i = begin; i < end; ++i) {
        product.emplace_back(0);
        for (std::uint64_t k = begin; k < end; ++k) product.back() += element_of_t(system, a, x, i, k) * b[place(k)];
      }
      for (std::uint64_t i = begin; i < end; ++i)
        (sums != nullptr ? sums->at(x, i, line) : b[place(i)]) = product[i - begin];
    }
}

// Adds a product with a range of k, block by block of T's rows. The steps are those of the rows of both matrices.
void add_ranges(const TrmmSystem& system, const GemmProblem& product, const detail::KRange& range,
                const Complex* triangle, const Complex* source, std::uint64_t source_step, Complex* target,
                std::uint64_t target_step) {
  CHECK(range.of_rows == system.is_left());
  CHECK(range.is_upper == system.is_upper);
  const std::uint64_t rows = system.is_left() ? product.m : product.n;
  for (std::uint64_t first = 0; first < rows; first += range.block) {
    const std::uint64_t begin = range.is_upper ? first : 0, end = range.is_upper ? product.k : first + range.block;
    REQUIRE(begin < end);
    REQUIRE(end <= product.k);
    GemmProblem block = product;
    (system.is_left() ? block.m : block.n) = std::min(range.block, rows - first);
    block.k = end - begin;
    const Complex* const of_t = triangle + first * system.t_row_step + begin * system.t_column_step;
    const Complex* const of_b = source + begin * source_step;
    add_product(block, system.is_left() ? of_t : of_b, system.is_left() ? of_b : of_t, target + first * target_step,
                false);
  }
}

// Runs the steps in their order.
void run(const TrmmSystem& system, const TrmmSteps& steps, std::uint64_t block, std::uint64_t part,
         const std::vector<Complex>& a, std::vector<Complex>& b) {
  const std::uint64_t count = system.problem.batch.count;
  Sums copy{steps, 0, std::vector<Complex>(steps.copy.stride * count, Complex(NAN, NAN))};
  const bool to_sums = steps.copy.holds_sums;
  const auto of_b = [&](std::uint64_t x, std::uint64_t i, std::uint64_t line) {
    return x * system.problem.batch.stride_b + i * system.step + line * system.line_step;
  };
  for (const TrmmStep& step : steps.steps) {
    if (step.kind == TrmmStep::Kind::copy) {
      for (std::uint64_t x = 0; x < count; ++x)
        for (std::uint64_t i = 0; i < system.order; ++i)
          for (std::uint64_t line = 0; line < system.lines; ++line) copy.at(x, i, line) = b[of_b(x, i, line)];
      continue;
    }
    if (step.kind == TrmmStep::Kind::whole) {
      const auto& [product, range] = steps.products.at(step.product);
      REQUIRE(range.has_value());
      CHECK(range->is_triangle);
      CHECK(range->is_unit == (system.problem.diag == Diag::unit));
      CHECK(range->of_rows == system.is_left());
      CHECK(range->is_upper == system.is_upper);
      std::vector<Complex> triangle(a.size()), result(b.size());
      for (std::uint64_t x = 0; x < (system.problem.batch.stride_a == 0 ? 1 : count); ++x)
        for (std::uint64_t i = 0; i < system.order; ++i)
          for (std::uint64_t k = 0; k < system.order; ++k) {
            const bool is_zero = system.is_upper ? k < i : k > i;
            const std::uint64_t place =
                x * system.problem.batch.stride_a + i * system.t_row_step + k * system.t_column_step;
            if (!is_zero) triangle[place] = a[place];
          }
      const Complex* const source = step.from_copy ? copy.values.data() : b.data();
      add_product(product, system.is_left() ? triangle.data() : source, system.is_left() ? source : triangle.data(),
                  result.data(), false);
      for (std::uint64_t x = 0; x < count; ++x)
        for (std::uint64_t i = 0; i < system.order; ++i)
          for (std::uint64_t line = 0; line < system.lines; ++line) b[of_b(x, i, line)] = result[of_b(x, i, line)];
      continue;
    }
    if (step.kind == TrmmStep::Kind::product) {
      const auto& [product, range] = steps.products.at(step.product);
      CHECK(product.type_c.has_value() == to_sums);
      const Complex* const triangle = a.data() + step.a;
      const Complex* const source = (step.from_copy ? copy.values.data() : b.data()) + step.source;
      Complex* const target = (to_sums ? copy.values.data() : b.data()) + step.target;
      if (range) {
        const std::uint64_t source_step = step.from_copy ? steps.copy.step : system.step;
        add_ranges(system, product, *range, triangle, source, source_step, target,
                   to_sums ? steps.copy.step : system.step);
        continue;
      }
      add_product(product, system.is_left() ? triangle : source, system.is_left() ? source : triangle, target, false);
      continue;
    }
    const std::uint64_t end = std::min(step.first + part, system.order);
    copy.first = step.first;
    const bool rounds = step.kind == TrmmStep::Kind::round;
    for (std::uint64_t x = 0; x < count && steps.copy.rows > 0 && rounds == to_sums; ++x)
      for (std::uint64_t i = step.first; i < end; ++i)
        for (std::uint64_t line = 0; line < system.lines; ++line) {
          Complex& element = b[of_b(x, i, line)];
          (rounds ? element : copy.at(x, i, line)) = rounds ? copy.at(x, i, line) : element;
        }
    for (std::uint64_t first = step.first; first < end && !rounds; first += block)
      multiply(system, a, b, first, std::min(first + block, end), to_sums ? &copy : nullptr);
  }
}

void check_steps(TrmmProblem p, std::uint64_t order, std::uint64_t count, bool shares_a) {
  const std::uint64_t lines = 3, lda = order + 2;
  p.m = p.side == Side::left ? order : lines;
  p.n = p.side == Side::left ? lines : order;
  p.lda = lda;
  p.ldb = p.n + 1;
  p.batch = {
      .count = count, .stride_a = shares_a || count == 1 ? 0 : order * lda, .stride_b = count == 1 ? 0 : p.m * p.ldb};
  const TrmmSystem system = detail::trmm_system(p, typical_gpu());
  std::vector<Complex> a(order * lda * (shares_a ? 1 : count)), before(p.m * p.ldb * count);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = number(i);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = number(i + 3);
  std::vector<Complex> expected = before;
  multiply(system, a, expected, 0, order);
  for (const std::uint64_t part : {4U, 8U, 32U}) {
    const TrmmSteps steps = detail::trmm_steps(system, 4, part);
    std::vector<Complex> b = before;
    run(system, steps, 4, part, a, b);
    CAPTURE(order);
    CAPTURE(part);
    CAPTURE(count);
    CHECK(b == expected);  // sums of small integers are exact
    CHECK(steps.copy.holds_sums == (p.type == DataType::f16));
    if (!steps.copy.holds_sums) CHECK((steps.copy.rows == 0) == (part == 4 || order <= 4));
  }
  const TrmmSteps whole = detail::trmm_steps_of_whole(system);
  std::vector<Complex> replaced = before;
  run(system, whole, order, order, a, replaced);
  CHECK(replaced == expected);
  CHECK(whole.steps.size() == 1);
  CHECK(whole.copy.rows == 0);
  if (!system.keeps_sums()) {
    std::vector<Complex> b = before;
    run(system, detail::trmm_steps_of_copy(system, 16), order, order, a, b);
    CHECK(b == expected);
  }
  for (const std::uint64_t square : {4U, 8U, 16U}) {
    if (order <= square) continue;
    const TrmmSteps steps = detail::trmm_steps_with_range(system, 4, square);
    std::vector<Complex> b = before;
    run(system, steps, 4, order, a, b);
    CAPTURE(order);
    CAPTURE(square);
    CAPTURE(count);
    CHECK(b == expected);
    CHECK(steps.copy.rows == order);
    CHECK(steps.products.back().range.has_value());
  }
}

}  // namespace

TEST_SUITE("trmm steps") {
  TEST_CASE("steps compute the product in every form") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
          for (const std::uint64_t order : {1U, 4U, 5U, 8U, 13U, 31U, 32U, 33U, 50U})
            for (const DataType type : {DataType::c128, DataType::f16})
              check_steps({.type = type, .side = side, .uplo = uplo, .trans = trans}, order, 1, false);
  }

  TEST_CASE("steps compute batches of more systems than blocks, and of fewer") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const bool shares_a : {false, true})
          for (const std::uint64_t count : {2U, 3U, 9U})
            for (const std::uint64_t order : {3U, 21U, 40U})
              for (const DataType type : {DataType::c128, DataType::f16})
                check_steps({.type = type, .side = side, .uplo = uplo}, order, count, shares_a);
  }

  TEST_CASE("a product that reads a copy promises no more alignment than a workspace keeps") {
    const TrmmSystem system =
        detail::trmm_system({.type = DataType::f64, .m = 200, .n = 30, .offset_alignment = 64}, typical_gpu());
    CHECK(detail::trmm_steps_of_copy(system, 128).products.front().problem.offset_alignment == 16);
    CHECK(detail::trmm_steps_of_whole(system).products.front().problem.offset_alignment == 64);
  }

  TEST_CASE("parts of several blocks take few launches") {
    const TrmmSystem system = detail::trmm_system({.m = 4096, .n = 64}, typical_gpu());
    const TrmmSteps levels = detail::trmm_steps(system, 64, 4096);
    CHECK(levels.steps.size() == 1 + 6);  // all blocks, and one batch per level
    CHECK(levels.copy.rows == 4096);
    const TrmmSteps halves = detail::trmm_steps(system, 64, 64);
    CHECK(halves.steps.size() == 64 + 63);
    CHECK(halves.products.size() == 6);
    CHECK(halves.copy.rows == 0);
    const TrmmSystem many = detail::trmm_system(
        {.m = 200, .n = 5, .batch = {.count = 10000, .stride_a = 40000, .stride_b = 1000}}, typical_gpu());
    CHECK(detail::trmm_steps(many, 64, 256).steps.size() == 1 + 3);  // each batch runs over the systems
    CHECK(detail::trmm_steps_with_range(system, 64, 64).steps.size() == 2);
    CHECK(detail::trmm_steps_with_range(system, 64, 128).steps.size() == 3);
  }
}

}  // namespace tilewright::test
