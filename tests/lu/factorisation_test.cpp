// getrf: residuals, pivots, infos, edges of panels, special matrices.
#include <complex>
#include <limits>

#include "lu/lu_runner.hpp"
#include "support/kernel_types.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;

constexpr Layout layouts[] = {Layout::row_major, Layout::column_major};

template <class T>
void check_random(LuRunner<T>& run) {
  CAPTURE(run.problem().m);
  CAPTURE(run.problem().n);
  run.fill(lu_random_element<T>);
  run.factor();
  for (std::uint64_t x = 0; x < run.problem().batch.count; ++x) {
    const verification::LuQuality quality = run.quality(x);
    CHECK(quality.pivots_are_rows);
    CHECK(quality.residual < verification::lu_threshold);
    CHECK(quality.element <= 1);
    CHECK(quality.multiplier <= verification::largest_multiplier<T>());
    CHECK(run.info[x] == 0);
  }
}

// Wilkinson's matrix, for which U grows to 2^(n-1), scaled so that results are rounded.
double wilkinson(std::uint64_t i, std::uint64_t j, std::uint64_t n) {
  const double element = j + 1 == n ? 1 : i == j ? 1 : i > j ? -1 : 0;
  return element * (1 + 0x1p-6 * static_cast<double>(i == j || j + 1 == n ? j % 3 : 0));
}

}  // namespace

TEST_SUITE("lu factorisation") {
  TEST_CASE("random matrices of sizes near the edges of sub-panels and panels") {
    for (const Layout layout : layouts) {
      for (const auto& [m, n] : {std::pair{1U, 1U}, {31U, 33U}, {64U, 64U}, {65U, 20U}, {40U, 90U}, {129U, 131U}}) {
        LuRunner<double> run(m, n, layout);
        check_random(run);
      }
      LuRunner<float> run(97, 97, layout);
      check_random(run);
      LuRunner<double> batch(17, 17, layout, 5);
      check_random(batch);
      LuRunner<float> larger(70, 66, layout, 2);
      check_random(larger);
    }
  }

  TEST_CASE("random complex matrices of sizes near the edges of sub-panels and panels") {
    for (const Layout layout : layouts) {
      for (const auto& [m, n] : {std::pair{1U, 1U}, {33U, 31U}, {64U, 64U}, {65U, 20U}, {40U, 90U}, {129U, 131U}}) {
        LuRunner<Complex> run(m, n, layout);
        check_random(run);
      }
      LuRunner<ComplexFloat> run(97, 97, layout);
      check_random(run);
      LuRunner<Complex> batch(17, 17, layout, 5);
      check_random(batch);
      LuRunner<ComplexFloat> larger(70, 66, layout, 2);
      check_random(larger);
    }
  }

  // CPUs factor single matrices of up to 320 rows and columns, or 160 if they are complex, in one launch.
  TEST_CASE("random matrices of sizes around those that one launch factors") {
    for (const Layout layout : layouts) {
      for (const auto& [m, n] : {std::pair{319U, 310U}, {320U, 320U}, {320U, 40U}, {321U, 66U}, {66U, 321U}}) {
        LuRunner<float> run(m, n, layout);
        check_random(run);
      }
      LuRunner<double> square(320, 320, layout);
      check_random(square);
      for (const auto& [m, n] : {std::pair{159U, 160U}, {160U, 160U}, {161U, 161U}, {70U, 161U}}) {
        LuRunner<Complex> run(m, n, layout);
        check_random(run);
      }
      for (const std::uint64_t n : {256U, 257U}) {
        LuRunner<ComplexFloat> batch(n, 257 - n + 65, layout, 2);
        check_random(batch);
      }
      LuRunner<float> many(66, 67, layout, 100);
      check_random(many);
    }
  }

  TEST_CASE("matrices of several panels: square, wide and tall, and batches") {
    for (const Layout layout : layouts) {
      LuRunner<float> square(550, 549, layout);
      check_random(square);
      LuRunner<double> wide(259, 330, layout, 2);
      check_random(wide);
      LuRunner<double> tall(330, 259, layout);
      check_random(tall);
      LuRunner<ComplexFloat> complex_wide(270, 301, layout);
      check_random(complex_wide);
      LuRunner<Complex> complex_tall(301, 270, layout, 2);
      check_random(complex_tall);
    }
  }

  TEST_CASE("the first one of equal pivots, wherever they are in a long column") {
    for (const std::uint64_t first : {0U, 1U, 15U, 21U, 63U, 64U, 100U})
      for (const std::uint64_t second : {first + 1, first + 3, first + 16, first + 70}) {
        // On CPUs the taller one has panels.
        for (const std::uint64_t rows : {180U, 330U}) {
          LuRunner<float> run(rows, 80, Layout::column_major);
          run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
            if (j == 0) return i == first ? -2.0 : i == second ? 2.0 : 0.0;
            return i == j ? 1.0 : 0.0;
          });
          run.factor();
          CHECK(run.pivots[0] == static_cast<std::int64_t>(first));
        }
      }
    // Column 67 is in a later sub-panel.
    for (const std::uint64_t first : {67U, 68U, 79U, 80U, 130U})
      for (const std::uint64_t rows : {180U, 330U}) {
        LuRunner<double> run(rows, 80, Layout::row_major);
        run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
          if (j == 67 && i >= 67) return i == first ? -2.0 : i == 150 || i == first + 1 ? 2.0 : 0.5;
          return i == j ? 1.0 : 0.0;
        });
        run.factor();
        for (std::int64_t j = 0; j <= 67; ++j)
          CHECK(run.pivots[static_cast<std::size_t>(j)] == (j == 67 ? static_cast<std::int64_t>(first) : j));
      }
  }

  TEST_CASE("the kernels for GPUs: one group, and several groups with a launch per column") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    for (const Layout layout : layouts) {
      LuRunner<float> run(150, 70, layout, 1, engine);
      check_random(run);
      LuRunner<float> batch(40, 130, layout, 2, engine);
      check_random(batch);
      LuRunner<ComplexFloat> complex(150, 70, layout, 1, engine);
      check_random(complex);
      LuRunner<Complex> complex_batch(40, 130, layout, 2, engine);
      check_random(complex_batch);
      LuRunner<Complex> small(30, 32, layout, 2, engine);
      check_random(small);
    }
  }

  TEST_CASE("the kernels for GPUs: the first one of equal pivots, in one group and in several") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    for (const std::uint64_t first : {0U, 15U, 63U, 100U})
      for (const std::uint64_t second : {first + 1, first + 16, first + 70})
        for (const std::uint64_t rows : {60U, 180U}) {
          if (second >= rows) continue;
          LuRunner<float> run(rows, 2, Layout::column_major, 1, engine);
          run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
            if (j == 0) return i == first ? -2.0 : i == second ? 2.0 : 0.0;
            return i == j ? 1.0 : 0.0;
          });
          run.factor();
          CHECK(run.pivots[0] == static_cast<std::int64_t>(first));
        }
  }

  TEST_CASE("the kernels for GPUs: more groups than local memory holds rows of") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    for (const Layout layout : layouts) {
      LuRunner<float> run(4200, 5, layout, 1, engine);
      check_random(run);
      LuRunner<float> equal(4200, 3, layout, 1, engine);
      equal.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
        if (j == 1) return i == 4130 || i == 4190 ? 3.0 : 0.0;
        return i == j ? 1.0 : 0.0;
      });
      equal.factor();
      CHECK(equal.pivots == std::vector<std::int64_t>{0, 4130, 2});
    }
  }

  TEST_CASE("the kernels for GPUs: zero columns, and NaN first and elsewhere in a column") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    for (const Layout layout : layouts)
      for (const std::uint64_t n : {50U, 150U}) {
        LuRunner<float> run(n, n, layout, 4, engine);
        // Columns 7 and 41 of the first matrix are 0.
        run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
          constexpr double none = std::numeric_limits<double>::quiet_NaN();
          if (x == 0 && (j == 7 || j == 41)) return 0.0;
          if (j == 0 && ((x == 1 && i == 0) || (x == 2 && i == 45))) return none;
          return lu_random(i, j, x);
        });
        run.factor();
        CHECK(run.info == std::vector<std::int64_t>{8, 0, 0, 0});
        for (const std::uint64_t x : {0U, 3U}) CHECK(run.quality(x).residual < verification::lu_threshold);
        CHECK(run.pivots[n] == 0);
        CHECK(run.pivots[2 * n] != 45);
      }
  }

  TEST_CASE("growth: Wilkinson's matrix meets the element-wise bound") {
    for (const std::uint64_t n : {40U, 100U}) {
      LuRunner<double> run(n, n, Layout::row_major);
      run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) { return wilkinson(i, j, n); });
      run.factor();
      CHECK(run.quality().element <= 1);
      CHECK(run.info[0] == 0);
      CHECK(std::abs(static_cast<double>(run.factors()(n - 1, n - 1))) > 0x1p30);
    }
  }

  TEST_CASE("badly scaled rows and columns, and pivots whose reciprocals overflow") {
    LuRunner<double> run(90, 90, Layout::column_major);
    run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return std::ldexp(lu_random(i, j, 0), static_cast<int>(i * 7 % 60) * 10 - static_cast<int>(j * 11 % 60) * 10);
    });
    run.factor();
    CHECK(run.quality().element <= 1);
    CHECK(run.quality().residual < verification::lu_threshold);
    LuRunner<double> tiny(3, 3, Layout::row_major);
    tiny.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return (i == 2 && j == 0) || i + j == 1 ? 0x1p-1070 * static_cast<double>(1 + i) : 0.0;
    });
    tiny.factor();
    for (std::uint64_t i = 0; i < 3; ++i)
      for (std::uint64_t j = 0; j < 3; ++j) CHECK(std::isfinite(static_cast<double>(tiny.factors()(i, j))));
  }

  TEST_CASE("the pivot is the largest element, the first one among equals, and pivots are those of LAPACK") {
    // Computed by hand: a matrix with equal magnitudes of opposite signs, and one of ones.
    LuRunner<float> run(4, 3, Layout::row_major);
    const double elements[4][3] = {{1, 2, 0}, {-4, 0, 1}, {4, 1, 1}, {2, 6, 3}};
    run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) { return elements[i][j]; });
    run.factor();
    CHECK(run.pivots == std::vector<std::int64_t>{1, 3, 2});
    CHECK(run.quality().residual < 1);
    LuRunner<float> ones(70, 70, Layout::column_major);
    ones.fill([](std::uint64_t, std::uint64_t, std::uint64_t) { return 1.0; });
    ones.factor();
    for (std::int64_t j = 0; j < 70; ++j) CHECK(ones.pivots[static_cast<std::size_t>(j)] == j);
    CHECK(ones.info[0] == 2);
  }

  TEST_CASE("a complex pivot has the largest |re| + |im|, the first one among equals") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      LuRunner<Complex> run(4, 2, Layout::row_major, 1, engine);
      // In the first column 2 + 2 i is shorter than 3.5. The second one has two equals.
      const Complex elements[4][2] = {{3.5, 0}, {{2, 2}, 0}, {1, {0, 2}}, {0, {-1, 1}}};
      run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) { return elements[i][j]; });
      run.factor();
      CHECK(run.pivots == std::vector<std::int64_t>{1, 2});
      CHECK(run.quality().residual < 1);
      // Not a number in either part is the pivot only if it comes first.
      LuRunner<ComplexFloat> nan(3, 3, Layout::column_major, 4, engine);
      nan.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        if (j == 0 && i == x / 2) return x % 2 == 0 ? Complex(none, 1) : Complex(1, none);
        return Complex(i == 2 ? 4 : 1, i == j ? 7 : 0);
      });
      nan.factor();
      CHECK(nan.pivots[0] == 0);
      CHECK(nan.pivots[3] == 0);
      CHECK(nan.pivots[6] == 0);  // |1 + 7 i| is the largest number
      CHECK(nan.pivots[9] == 0);
      CHECK(nan.info == std::vector<std::int64_t>{0, 0, 0, 0});
    }
  }

  TEST_CASE("singular complex matrices: an imaginary pivot is not zero") {
    for (const std::uint64_t n : {20U, 100U}) {
      LuRunner<Complex> run(n, n, Layout::row_major, 2);
      run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
        const Complex element = lu_random_element<Complex>(i, j, x);
        return x == 1 && (j == 7 || j == 15) ? Complex(0) : x == 0 && j == 0 ? Complex(0, element.imag()) : element;
      });
      run.factor();
      CHECK(run.info == std::vector<std::int64_t>{0, 8});
      for (const std::uint64_t x : {0U, 1U}) CHECK(run.quality(x).residual < verification::lu_threshold);
    }
  }

  TEST_CASE("singular matrices: info is the first zero pivot, and the factorisation is completed") {
    for (const Layout layout : layouts)
      for (const std::uint64_t n : {20U, 64U, 65U, 330U}) {
        LuRunner<double> run(n, n, layout, 2);
        // Columns 7 and 15 of the second matrix are 0.
        run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
          return x == 1 && (j == 7 || j == 15) ? 0 : lu_random(i, j, x);
        });
        run.factor();
        CHECK(run.info == std::vector<std::int64_t>{0, 8});
        for (const std::uint64_t x : {0U, 1U}) CHECK(run.quality(x).residual < verification::lu_threshold);
      }
  }

  TEST_CASE("a singular column, and one of NaN, in the second panel of a matrix") {
    for (const Layout layout : layouts)
      for (const std::uint64_t m : {290U, 330U}) {  // on CPUs the smaller one has no panels
        LuRunner<double> run(m, m + 10, layout, 2);
        run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
          if (j == 270) return x == 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
          return lu_random(i, j, x);
        });
        run.factor();
        CHECK(run.info == std::vector<std::int64_t>{271, 0});
        CHECK(run.quality(0).residual < verification::lu_threshold);
        // NaN reaches the columns to the right, in the rows below the first panel's last one.
        CHECK(run.pivots[m + 270] == 270);
        CHECK(std::isnan(static_cast<double>(run.factors(1)(m - 1, m + 9))));
        for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{200}, std::uint64_t{269}, m - 1})
          CHECK(std::isfinite(static_cast<double>(run.factors(1)(i, 269))));
      }
  }

  TEST_CASE("NaN and infinity propagate, are no error, and leave the other matrices of a batch alone") {
    LuRunner<double> run(40, 40, Layout::row_major, 3);
    run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
      if (x == 0 && i == 5 && j == 0) return std::numeric_limits<double>::quiet_NaN();
      if (x == 2 && i == 9 && j == 3) return std::numeric_limits<double>::infinity();
      return lu_random(i, j, x);
    });
    run.factor();
    CHECK(run.info == std::vector<std::int64_t>{0, 0, 0});
    CHECK(run.pivots[0] != 5);  // NaN is the pivot only if it comes first
    CHECK(std::isnan(static_cast<double>(run.factors(0)(39, 39))));
    CHECK(std::isinf(static_cast<double>(run.factors(2)(3, 3))));
    CHECK(run.quality(1).residual < verification::lu_threshold);
  }

  TEST_CASE("empty matrices: info is 0, and nothing else is written") {
    for (const auto& [m, n] : {std::pair{0U, 5U}, {4U, 0U}}) {
      GuardedIntegers info(2);
      const cl::CommandQueue queue = make_queue();
      getrf(shared_engine(), queue(), {.m = m, .n = n, .batch = {.count = 2}}, {.info = info.ref()}).wait();
      CHECK(info.read(queue) == std::vector<std::int64_t>{0, 0});
      count_cases();
    }
  }
}

// Few instructions, for devices that simulate each.
TEST_SUITE("every kernel of lu") {
  TEST_CASE("lu") {
    // These outlive all runs, because Oclgrind confuses released buffers with later ones.
    const cl::Buffer inverse(shared_context(), CL_MEM_READ_WRITE, 4 * 70 * 70),
        determinant(shared_context(), CL_MEM_READ_WRITE, 8);
    // The shared engine of Oclgrind is that of a GPU with larger groups.
    std::vector<Engine> engines{shared_engine()};
    for (const DeviceType type : kernel_types()) engines.push_back(engine_with_kernels_for(type, 64));
    for (const Engine& engine : engines) {
      // Several sub-panels, and on GPUs several groups.
      LuRunner<float> run(70, 70, Layout::row_major, 1, engine);
      check_random(run);
      const MatrixRef a = run.operands().a, pivots = run.operands().pivots;
      CHECK_NOTHROW(
          getri(engine, run.queue(), run.problem_of<GetriProblem>(), {.a = a, .pivots = pivots, .b = {inverse()}})
              .wait());
      CHECK_NOTHROW(det(engine, run.queue(), run.problem_of<DetProblem>(),
                        {.a = a, .pivots = pivots, .determinant = {determinant()}})
                        .wait());
      LuRunner<float> small(9, 9, Layout::column_major, 2, engine);
      check_random(small);
      GetriProblem inversion = small.problem_of<GetriProblem>();
      inversion.batch.stride_b = 81;
      CHECK_NOTHROW(getri(engine, small.queue(), inversion,
                          {.a = small.operands().a, .pivots = small.operands().pivots, .b = {inverse()}})
                        .wait());
      LuRunner<ComplexFloat> complex(70, 9, Layout::row_major, 1, engine);
      check_random(complex);
    }
  }
}

}  // namespace tilewright::test
