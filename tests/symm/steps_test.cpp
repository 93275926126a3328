// The products that symm consists of, run in plain loops: every form, orders around multiples of the block, and
// batches.
#include "symm/steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <vector>

#include "support/host_product.hpp"
#include "support/profiles.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using detail::SymmBlocks, detail::SymmStep, detail::SymmSteps, detail::SymmSystem;

Complex number(std::uint64_t i) { return {static_cast<double>(i * 7 % 11) - 5, static_cast<double>(i * 5 % 13) - 6}; }

// Element (i, j) of the whole A in the system's row-major form.
Complex element_of_a(const SymmSystem& system, const Complex* a, std::uint64_t i, std::uint64_t j) {
  const bool is_stored = i == j || (system.problem.uplo == Uplo::lower) == (j < i);
  const Complex value = a[is_stored ? i * system.problem.lda + j : j * system.problem.lda + i];
  if (!system.is_hermitian()) return value;
  return i == j ? Complex(value.real(), 0) : is_stored ? value : std::conj(value);
}

std::vector<Complex> expanded(const SymmSystem& system, const SymmBlocks& blocks, const std::vector<Complex>& a) {
  const std::uint64_t order = system.order();
  std::vector<Complex> result(order * blocks.ld * system.copies_of_a());
  for (std::uint64_t x = 0; x < system.copies_of_a(); ++x)
    for (std::uint64_t i = 0; i < order; ++i)
      for (std::uint64_t j = i / blocks.rows * blocks.rows; j < std::min(order, (i / blocks.rows + 1) * blocks.rows);
           ++j)
        result[x * blocks.stride + i * blocks.ld + j % blocks.rows] =
            element_of_a(system, a.data() + x * system.problem.batch.stride_a, i, j);
  return result;
}

void check_steps(SymmProblem p, std::uint64_t order, std::uint64_t count, bool shares_a) {
  const std::uint64_t lines = 3, lda = order + 2;
  p.type = DataType::c128;
  p.m = p.side == Side::left ? order : lines;
  p.n = p.side == Side::left ? lines : order;
  p.lda = lda;
  p.ldb = p.n + 1;
  p.ldc = p.n + 2;
  if (count > 1)
    p.batch = {
        .count = count, .stride_a = shares_a ? 0 : order * lda, .stride_b = p.m * p.ldb, .stride_c = p.m * p.ldc};
  const SymmSystem system = detail::symm_system(p, typical_gpu());
  std::vector<Complex> a(order * lda * system.copies_of_a()), b(p.m * p.ldb * count);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = number(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = number(i + 3);
  std::vector<Complex> expected(p.m * p.ldc * count);
  for (std::uint64_t x = 0; x < count; ++x)
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j)
        for (std::uint64_t k = 0; k < order; ++k) {
          const Complex* const of_a = a.data() + x * p.batch.stride_a;
          const Complex* const of_b = b.data() + x * p.batch.stride_b;
          expected[x * p.batch.stride_c + i * p.ldc + j] +=
              system.is_left() ? element_of_a(system, of_a, i, k) * of_b[k * p.ldb + j]
                               : of_b[i * p.ldb + k] * element_of_a(system, of_a, k, j);
        }
  const auto check = [&](const SymmSteps& steps, const SymmBlocks& blocks) {
    const std::vector<Complex> full = expanded(system, blocks, a);
    std::vector<Complex> c(expected.size());
    for (const SymmStep& step : steps.steps) {
      const bool is_stored = step.factor == SymmStep::Factor::rectangle;
      const Complex* const factor = (is_stored ? a.data() : full.data()) + step.a;
      const Complex* const source = b.data() + step.b;
      add_product(steps.products.at(step.product), system.is_left() ? factor : source,
                  system.is_left() ? source : factor, c.data() + step.c, step.scales());
    }
    CAPTURE(order);
    CAPTURE(blocks.rows);
    CAPTURE(count);
    CHECK(c == expected);  // sums of small integers are exact
  };
  for (const std::uint64_t rows : {std::uint64_t{4}, order}) {
    const SymmBlocks blocks{.rows = rows, .ld = rows + 1, .stride = system.copies_of_a() == 1 ? 0 : order * (rows + 1)};
    check(detail::symm_steps(system, blocks), blocks);
  }
  // The product packs all of A.
  check(detail::symm_steps_of_whole(system), {.rows = order, .ld = lda, .stride = system.problem.batch.stride_a});
}

}  // namespace

TEST_SUITE("symm steps") {
  TEST_CASE("steps compute the product in every form") {
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const std::uint64_t order : {1U, 4U, 5U, 8U, 13U, 31U, 32U, 33U, 50U})
            check_steps({.symmetry = symmetry, .side = side, .uplo = uplo}, order, 1, false);
  }

  TEST_CASE("steps compute batches of more products than blocks, and of fewer") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const bool shares_a : {false, true})
          for (const std::uint64_t count : {2U, 3U, 9U})
            for (const std::uint64_t order : {3U, 21U, 40U})
              check_steps({.symmetry = Symmetry::hermitian, .side = side, .uplo = uplo}, order, count, shares_a);
  }

  TEST_CASE("diagonal blocks are expanded if B has few columns, or if A does not fit into memory") {
    const auto rows_of = [](const SymmProblem& p, DeviceProfile device = typical_gpu()) {
      return detail::symm_blocks(detail::symm_system(p, device), device).rows;
    };
    DeviceProfile small = typical_gpu();
    small.max_allocation_bytes = std::uint64_t{16} << 20;
    CHECK(rows_of({.m = 2048, .n = 2048}) == 2048);
    CHECK(rows_of({.m = 2048, .n = 16}) == 256);
    CHECK(rows_of({.side = Side::right, .m = 16, .n = 4096}) == 512);
    CHECK(rows_of({.m = 512, .n = 1}) == 512);
    CHECK(rows_of({.m = 2048, .n = 2048}, small) == 512);
    CHECK(rows_of({.type = DataType::f16, .m = 2048, .n = 1}) == 2048);  // each element is rounded once
  }
}

}  // namespace tilewright::test
