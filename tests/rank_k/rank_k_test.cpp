// Rank-k updates: every form, with blocks of all kinds. The triangle keeps its error bound element by element, and
// nothing else is read or written.
#include "tilewright/rank_k.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "rank_k/rank_k_forms.hpp"
#include "rank_k/rank_k_plan.hpp"
#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

const Choice naive_products{"naive", {}};
constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

// The lower triangle of alpha A A^T + beta C with n rows of k small integers, by a plan with blocks of a given shape.
bool is_right(const detail::RankKShape& shape, const SyrkProblem& problem) {
  const std::uint64_t n = problem.n, k = problem.k, count = problem.batch.count;
  const auto value_of_a = [](std::uint64_t i) { return static_cast<float>(i * 7 % 11) - 5; };
  std::vector<float> a(count * n * k), c(count * n * n, 3), found(c.size());
  for (std::uint64_t i = 0; i < a.size(); ++i) a[i] = value_of_a(i);
  const cl::Buffer of_a(shared_context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * a.size(), a.data());
  const cl::Buffer of_c(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * c.size(), c.data());
  const cl::CommandQueue queue = make_queue();
  const Engine& engine = shared_engine();
  detail::RankKPlan plan(engine, detail::rank_k_system(problem, engine.profile()), naive_products, shape);
  plan.enqueue(queue(), {.alpha = 2, .beta = -1, .matrices = {MatrixRef{of_a()}, MatrixRef{}, MatrixRef{of_c()}}}, {})
      .wait();
  queue.enqueueReadBuffer(of_c, CL_TRUE, 0, 4 * found.size(), found.data());
  count_cases();
  for (std::uint64_t x = 0; x < count; ++x)
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::uint64_t p = 0; p < k; ++p) sum += a[x * n * k + i * k + p] * a[x * n * k + j * k + p];
        if (found[x * n * n + i * n + j] != (j <= i ? 2 * sum - 3 : 3)) return false;
      }
  return true;
}

}  // namespace

TEST_SUITE("rank-k updates") {
  TEST_CASE("every form") {
    DailyShare share(5);
    for (const auto& [call, name] : rank_k_functions)
      for (const DataType type : rank_k_types()) {
        RankKCase test{
            .call = call, .type = type, .n = 21, .k = 10, .alpha = 2, .beta = -0.5, .products = naive_products};
        test.gaps = {1, 0, 3};
        test.offsets = {3, 1, 5};
        for_all_forms(test, [&](const RankKCase& form) {
          if (share.selects_next()) check_case(form);
        });
      }
  }

  TEST_CASE("several blocks, in batches") {
    // Not a factor of the number of forms, so that each function, type and batch has others.
    const bool is_quick = test_level() == TestLevel::quick;
    const std::size_t apart = is_quick ? 29 : 5;
    std::size_t turn = test_seed();
    for (const auto& [call, name] : rank_k_functions)
      for (const DataType type : {DataType::f32, DataType::c64, DataType::f16})
        for (const std::uint64_t count : {1U, 3U}) {
          RankKCase test{.call = call,
                         .type = type,
                         .n = 270,
                         .k = is_quick ? 30U : 90U,
                         .alpha = -1.5,
                         .beta = 2,
                         .products = naive_products};
          test.gaps = {0, 2, 1};
          test.count = count;
          for_all_forms(test, [&](const RankKCase& form) {
            if (turn++ % apart == 0) check_case(form);
          });
        }
  }

  TEST_CASE("blocks of every shape") {
    for (const std::uint64_t n : {1U, 16U, 33U, 70U, 130U})
      for (const std::uint64_t grid : {2U, 4U, 8U})
        for (const std::uint64_t count : {1U, 2U}) {
          CAPTURE(n);
          CAPTURE(grid);
          CAPTURE(count);
          const SyrkProblem problem{
              .n = n, .k = 5, .batch = {count, count == 1 ? 0 : n * 5, 0, count == 1 ? 0 : n * n}};
          CHECK(is_right({.block = 16, .grid = grid, .lanes = 1, .group_rows = 1, .item_rows = 3}, problem));
          CHECK(is_right({.block = 16, .grid = grid, .lanes = 8, .group_rows = 4, .item_rows = 1}, problem));
        }
  }

  // Sums of many different products in f16: a second rounding would show as an error of up to half a unit more.
  TEST_CASE("results of two bytes are rounded once") {
    for (const auto& [call, name] : rank_k_functions)
      for (const DataType type : {DataType::f16, DataType::bf16})
        for (const Layout layout : {Layout::row_major, Layout::column_major})
          for (const Transpose trans : {Transpose::no, Transpose::yes}) {
            // At the quick level each type with two of the four forms.
            const bool is_odd = (type == DataType::f16) != ((layout == Layout::row_major) == (trans == Transpose::no));
            if (test_level() == TestLevel::quick && is_odd) continue;
            RankKCase test{.call = call,
                           .type = type,
                           .layout = layout,
                           .trans_a = trans,
                           .n = 150,
                           .k = 250,
                           .alpha = 15,  // many sums have too many bits for either type, and none overflows
                           .beta = 3,
                           .data = DataKind::integers,
                           .products = naive_products};
            test.gaps = {1, 2, 0};
            check_case(test);
            test.shares_a = true;
            test.n = 20;
            test.count = 3;
            check_case(test);
          }
  }

  TEST_CASE("many small updates") {
    RankKCase test{.n = 3, .k = 2, .count = 10000, .data = DataKind::integers, .products = naive_products};
    for (const auto& [call, name] : rank_k_functions) {
      test.call = call;
      check_case(test);
    }
    const SyrkPlan plan(shared_engine(), {.n = 3, .k = 2, .batch = {10000, 6, 0, 9}}, naive_products);
    CHECK(plan.workspace_bytes() < 10000 * 9 * 4 + 256);
  }

  TEST_CASE("scalars that read nothing") {
    for (const auto& [call, name] : rank_k_functions)
      for (const DataType type : {DataType::f32, DataType::c64})
        for (const double alpha : {0.0, 1.0})
          for (const double beta : {0.0, 1.0, 3.0})
            for (const std::uint64_t k : {0U, 4U})
              for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
                if (call == RankKFunction::gemmt && symmetry == Symmetry::hermitian) continue;
                check_case({.call = call,
                            .type = type,
                            .symmetry = symmetry,
                            .n = 19,
                            .k = k,
                            .alpha = alpha,
                            .beta = beta,
                            .products = naive_products});
              }
  }

  TEST_CASE("complex scalars") {
    for (const auto& [call, name] : rank_k_functions)
      for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
        RankKCase test{.call = call, .type = DataType::c64, .n = 40, .k = 7, .products = naive_products};
        if (call == RankKFunction::gemmt && symmetry == Symmetry::hermitian) continue;
        test.symmetry = symmetry;
        test.alpha = {1.5, call == RankKFunction::syrk && symmetry == Symmetry::hermitian ? 0.0 : -0.5};
        test.beta = {-2, symmetry == Symmetry::hermitian ? 0.0 : 0.25};
        for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
          test.uplo = uplo;
          check_case(test);
        }
      }
  }

  TEST_CASE("NaN and infinities reach the elements of a plain evaluation, and no others") {
    constexpr std::uint64_t n = 5;
    // Row 1 of A has a NaN, row 3 an infinity.
    std::vector<float> a(2 * n, 1), c(n * n, 2), found(n * n);
    a[2] = nan;
    a[6] = infinity;
    const cl::Buffer of_a(shared_context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * a.size(), a.data());
    const cl::Buffer of_c(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * c.size(), c.data());
    const cl::CommandQueue queue = make_queue();
    syrk(shared_engine(), queue(), {.n = n, .k = 2}, {.a = {of_a()}, .beta = 1, .c = {of_c()}}, {}, naive_products)
        .wait();
    queue.enqueueReadBuffer(of_c, CL_TRUE, 0, 4 * found.size(), found.data());
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        const float x = found[i * n + j];
        CAPTURE(i);
        CAPTURE(j);
        if (j > i)
          CHECK(x == 2);
        else if (i == 1 || j == 1)
          CHECK(std::isnan(x));
        else
          CHECK(x == (i == 3 || j == 3 ? infinity : 4));
      }
    count_cases();
  }

  TEST_CASE("A and C interleave in one array") {
    // Each row of the array has k elements of A, and n of C.
    constexpr std::uint64_t n = 300, k = 100, pitch = n + k;
    std::vector<float> all(n * pitch, 1), found(n * pitch);
    const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * all.size(), all.data());
    const cl::CommandQueue queue = make_queue();
    for (const std::uint64_t count : {1U, 2U}) {
      const std::uint64_t rows = n / count;
      syrk(shared_engine(), queue(),
           {.n = rows,
            .k = k,
            .lda = pitch,
            .ldc = pitch,
            .batch = {count, count == 1 ? 0 : rows * pitch, 0, count == 1 ? 0 : rows * pitch}},
           {.a = {buffer()}, .c = {buffer(), k}}, {}, naive_products)
          .wait();
    }
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, 4 * found.size(), found.data());
    bool right = true;
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < pitch; ++j) right = right && found[i * pitch + j] == (j < k || j - k > i ? 1 : k);
    CHECK(right);
    count_cases();
  }

  TEST_CASE("the default choice of products") { check_case({.n = 300, .k = 64}); }
}

// Small cases for slow devices.
TEST_SUITE("every kernel") {
  TEST_CASE("rank-k updates") {
    for (const auto& [call, name] : rank_k_functions)
      for (const DataType type : {DataType::f32, DataType::c64})
        check_case({.call = call,
                    .type = type,
                    .symmetry = call == RankKFunction::gemmt ? Symmetry::symmetric : Symmetry::hermitian,
                    .n = 9,
                    .k = 3,
                    .alpha = 2,
                    .beta = 3,
                    .products = naive_products});
  }
}

}  // namespace tilewright::test
