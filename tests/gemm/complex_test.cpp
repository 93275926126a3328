// Complex products in every form with the default variant, and calls that must be refused. The conformance test covers
// a few variants explicitly.
#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <iterator>
#include <utility>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "support/test_level.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/matrix_add.hpp"
#include "tilewright/packed_matrix.hpp"
#include "tilewright/transpose.hpp"
#include "verification/gemm/conformance_cases.hpp"
#include "verification/gemm/gemm_check.hpp"
#include "verification/gemm/gemm_trial.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<float>;
using verification::DataKind;
using verification::GemmCase;

bool is_supported(DataType type) { return type == DataType::c64 || device_under_test().profile.fp64; }

std::uint64_t turn_of(std::uint64_t& turn, std::uint64_t count) { return turn++ % count; }

void expect_right(const GemmCase& test) {
  const std::string wrong = verification::try_gemm_case(shared_engine(), test, [](const GemmPlan& plan) {
    count_kernel(plan);
    count_cases();
  });
  CHECK_MESSAGE(wrong.empty(), wrong, "; case: ", verification::to_string(test));
}

// C = alpha A B + beta C with dense A and B of small integers; a batch of several such products.
struct ComplexProduct {
  static constexpr std::uint64_t m = 5, n = 7, k = 3, count = 6;

  ComplexProduct()
      : queue(make_queue()),
        a_values(verification::random_data<Complex>(count * m * k, DataKind::integers, 1)),
        b_values(verification::random_data<Complex>(count * k * n, DataKind::integers, 2)),
        before(verification::random_data<Complex>(count * m * n, DataKind::integers, 3)),
        a(buffer_of(a_values)),
        b(buffer_of(b_values)),
        c(buffer_of(before)) {
    operands.a = {a(), 0};
    operands.b = {b(), 0};
    operands.c = {c(), 0};
  }

  cl::Buffer buffer_of(const std::vector<Complex>& values) const {
    cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(Complex));
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(Complex), values.data());
    return buffer;
  }

  std::vector<Complex> read() const {
    std::vector<Complex> found(before.size());
    queue.enqueueReadBuffer(c, CL_TRUE, 0, found.size() * sizeof(Complex), found.data());
    return found;
  }

  Complex expected(std::uint64_t x, std::uint64_t i, std::uint64_t j, Complex alpha, Complex beta,
                   bool shares_b = false) const {
    Complex sum = 0;
    for (std::uint64_t p = 0; p < k; ++p)
      sum += a_values[(x * m + i) * k + p] * b_values[((shares_b ? 0 : x) * k + p) * n + j];
    return alpha * sum + beta * before[(x * m + i) * n + j];
  }

  static GemmProblem problem() { return {.type = DataType::c64, .m = m, .n = n, .k = k}; }
  static Batch batch(bool shares_b = false) { return {count, m * k, shares_b ? 0 : k * n, m * n}; }

  cl::CommandQueue queue;
  std::vector<Complex> a_values, b_values, before;
  cl::Buffer a, b, c;
  GemmOperands operands;
};

}  // namespace

TEST_SUITE("complex products") {
  TEST_CASE("every layout, transpose, kind of scalar and batch") {
    std::uint64_t of_form = 0, of_size = 0, of_scalars = 0, of_batch = 0, of_data = 0, seed = 1;
    constexpr std::array<std::uint64_t, 3> sizes[] = {{13, 9, 17}, {1, 33, 5}, {40, 1, 8}, {64, 48, 32}, {7, 70, 1}};
    const std::complex<double> scalars[][2] = {{1, 0},       {-2, 3},           {{0, 1}, 0}, {{2, -1}, 1},
                                               {1, {0, -2}}, {{1, 3}, {-1, 2}}, {0, {3, 1}}};
    for (const DataType type : {DataType::c64, DataType::c128}) {
      if (!is_supported(type)) continue;
      for (const verification::Form& form : verification::forms_of(type)) {
        // A form takes a second to compile. The f64 code differs from the f32 code only in its type.
        const bool is_odd = of_form++ % 2 == 1;
        if (type == DataType::c128 && is_odd) continue;
        if (test_level() == TestLevel::quick && of_form % 3 != 0) continue;
        const auto& [m, n, k] = sizes[turn_of(of_size, std::size(sizes))];
        const auto& [alpha, beta] = scalars[turn_of(of_scalars, std::size(scalars))];
        GemmCase test{.variant = {},
                      .configuration = {},
                      .type = type,
                      .layout = form.layout,
                      .trans_a = form.trans_a,
                      .trans_b = form.trans_b,
                      .m = m,
                      .n = n,
                      .k = k,
                      .alpha = alpha,
                      .beta = beta,
                      .seed = seed++};
        test.data = of_data++ % 2 == 0 ? DataKind::integers : DataKind::uniform;
        test.specials = of_data % 5 == 0;
        if (is_odd) {
          test.gaps = {3, 0, 5};
          test.offsets = {1, 2, 7};
        }
        switch (turn_of(of_batch, 5)) {
          case 1:
            test.products = 3;
            break;
          case 2:
            test.products = 2;
            test.shared = {false, true};
            break;
          case 3:
            test.products = 3;
            test.by_offsets = true;
            break;
          case 4:
            test.products = 2;
            test.shared = {true, false};
            break;
          default:
            break;
        }
        expect_right(test);
      }
    }
  }

  TEST_CASE("conjugated operands of packed_panel with few and with many steps, and panels past the edge") {
    for (const auto& [trans_a, trans_b] : {std::pair{Transpose::no, Transpose::conjugate_transpose},
                                           std::pair{Transpose::conjugate_transpose, Transpose::no},
                                           std::pair{Transpose::conjugate_transpose, Transpose::conjugate_transpose}})
      for (const std::uint64_t k : {3U, 21U})
        expect_right({.variant = "packed_panel",
                      .configuration = {},
                      .type = DataType::c64,
                      .trans_a = trans_a,
                      .trans_b = trans_b,
                      .m = 5,
                      .n = 37,
                      .k = k,
                      .alpha = {2, -1},
                      .beta = {1, 1},
                      .seed = k});
  }

  TEST_CASE("packed_panel with a complex B that pack_b does not pack: real and imaginary alphas, edges, blocks of k") {
    for (const std::complex<double>& alpha : {std::complex<double>(2, -1), std::complex<double>(0, 1), {3, 0}})
      for (const auto& [transposes, pack_b] : {std::pair{false, 0}, {true, 0}, {false, 2}, {true, 2}})
        expect_right({.variant = "packed_panel",
                      .configuration = {{"item_m", 6}, {"item_n", 32}, {"block_k", 64}, {"pack_b", pack_b}},
                      .type = DataType::c64,
                      .trans_a = transposes ? Transpose::conjugate_transpose : Transpose::no,
                      .m = 5,
                      .n = 37,
                      .k = transposes ? 21U : 150U,
                      .gaps = {1, 3, 2},
                      .offsets = {1, 3, 5},
                      .alpha = alpha,
                      .beta = {1, 1},
                      .specials = transposes,
                      .products = 2});
  }

  TEST_CASE("tensor_f64 with complex operands as they are stored: every transpose, edges, slices of k, scalars") {
    if (!device_under_test().profile.fp64_tensor_cores) return;
    std::uint64_t turn = 0;
    const std::array<std::uint64_t, 3> sizes[] = {{70, 37, 50}, {33, 130, 17}, {5, 3, 3000}, {128, 64, 8}};
    const std::complex<double> scalars[][2] = {{1, 0}, {{2, -1}, {1, 1}}, {{0, 1}, 1}, {-2, {0, 3}}, {{1, 3}, 0}};
    for (const verification::Form& form : verification::forms_of(DataType::c128)) {
      const auto& [m, n, k] = sizes[turn % std::size(sizes)];
      const auto& [alpha, beta] = scalars[turn % std::size(scalars)];
      expect_right({.variant = "tensor_f64",
                    .configuration = {},
                    .type = DataType::c128,
                    .layout = form.layout,
                    .trans_a = form.trans_a,
                    .trans_b = form.trans_b,
                    .m = m,
                    .n = n,
                    .k = k,
                    .gaps = {turn % 2, 3, turn % 3},
                    .offsets = {turn % 3, turn % 2, 1},
                    .alpha = alpha,
                    .beta = beta,
                    .specials = turn % 4 == 1,
                    .products = 1 + turn % 3,
                    .seed = ++turn});
    }
  }

  TEST_CASE("a product with k = 0, and an empty product") {
    for (const auto& beta : {std::complex<double>(0, 2), std::complex<double>(3), std::complex<double>(0)})
      expect_right({.variant = {},
                    .configuration = {},
                    .type = DataType::c64,
                    .m = 9,
                    .n = 5,
                    .k = 0,
                    .alpha = {1, 1},
                    .beta = beta});
    const GemmCase nothing{.variant = {}, .configuration = {}, .type = DataType::c64, .m = 0, .n = 5, .k = 3};
    CHECK_NOTHROW(verification::try_gemm_case(shared_engine(), nothing));
  }

  TEST_CASE("each product of a batch has its own complex alpha and beta, also with one B for all") {
    const std::vector<Scalar> alphas = {1, {0, 1}, {0, 1}, 0, {2, -3}, -2};
    const std::vector<Scalar> betas = {{0, 1}, 0, 0, 1, {-1, 1}, 2};
    for (const bool shares_b : {false, true}) {
      CAPTURE(shares_b);
      ComplexProduct product;
      product.operands.scalars.alpha = alphas;
      product.operands.scalars.beta = betas;
      GemmProblem problem = ComplexProduct::problem();
      problem.batch = ComplexProduct::batch(shares_b);
      gemm(shared_engine(), product.queue(), problem, product.operands).wait();
      const std::vector<Complex> found = product.read();
      bool right = true;
      for (std::uint64_t x = 0; x < ComplexProduct::count; ++x)
        for (std::uint64_t i = 0; i < ComplexProduct::m; ++i)
          for (std::uint64_t j = 0; j < ComplexProduct::n; ++j)
            right =
                right && found[(x * ComplexProduct::m + i) * ComplexProduct::n + j] ==
                             product.expected(x, i, j, Complex(alphas[x].value()), Complex(betas[x].value()), shares_b);
      CHECK(right);
      count_cases();
    }
  }

  TEST_CASE("real scalars of a batch, a lent workspace and a reused plan") {
    ComplexProduct product;
    GemmProblem problem = ComplexProduct::problem();
    problem.batch = ComplexProduct::batch();
    const GemmPlan plan(shared_engine(), problem, {"naive", {}});  // expands B
    const std::vector<Scalar> alphas = {1, 2, 2, 0, -1, 3};
    product.operands.scalars.alpha = alphas;
    REQUIRE(plan.workspace_bytes() > 0);
    const cl::Buffer lent(shared_context(), CL_MEM_READ_WRITE, plan.workspace_bytes());
    product.operands.workspace = {lent(), 0};
    for (int repeat = 0; repeat < 2; ++repeat) {
      plan.enqueue(product.queue(), product.operands).wait();
      const std::vector<Complex> found = product.read();
      for (std::uint64_t x = 0; x < ComplexProduct::count; ++x)
        CHECK(found[x * ComplexProduct::m * ComplexProduct::n] ==
              product.expected(x, 0, 0, static_cast<float>(alphas[x].real()), 0));
    }
    const cl::Buffer small(shared_context(), CL_MEM_READ_WRITE, plan.workspace_bytes() - 1);
    product.operands.workspace = {small(), 0};
    expect_error(ErrorCode::workspace_too_small, [&] { plan.enqueue(product.queue(), product.operands); });
    count_cases();
  }

  TEST_CASE("a call that adds nothing leaves C unchanged and reads nothing") {
    ComplexProduct product;
    product.operands.a = product.operands.b = {};
    product.operands.alpha = 0;
    product.operands.beta = 1;
    gemm(shared_engine(), product.queue(), ComplexProduct::problem(), product.operands).wait();
    CHECK(product.read() == product.before);
    product.operands.alpha = {0, 1};
    expect_error(ErrorCode::null_object, OperandName::a,
                 [&] { gemm(shared_engine(), product.queue(), ComplexProduct::problem(), product.operands); });
    count_cases();
  }

  TEST_CASE("complex scalars for a real product and a wrong number of scalars are refused") {
    SmallProduct real;
    real.operands.alpha = {1, 1};
    CHECK(mentions(real.expect_refused(ErrorCode::invalid_scalar), "alpha has an imaginary part"));
    real.operands.alpha = 1;
    real.operands.beta = {0, 1};
    CHECK(mentions(real.expect_refused(ErrorCode::invalid_scalar), "beta has an imaginary part"));
    real.operands.beta = 0;
    const std::vector<Scalar> one = {{1, 1}}, two = {1, 2};
    real.operands.scalars.alpha = one;
    real.expect_refused(ErrorCode::invalid_scalar);
    real.operands.scalars.alpha = two;
    real.expect_refused(ErrorCode::invalid_batch);
  }

  TEST_CASE("features without complex support are refused with a reason") {
    ComplexProduct product;
    const GemmPlan plan(shared_engine(), ComplexProduct::problem());
    CHECK(mentions(expect_error(ErrorCode::unsuitable_packed_matrix, OperandName::b,
                                [&] { PackedMatrix(plan, GemmInput::b, product.queue(), product.operands.b); }),
                   "c64 prepares its operands"));
    expect_error(ErrorCode::unsupported_type, OperandName::c, [&] {
      GemmPlan(shared_engine(), {.type = DataType::c64, .type_c = DataType::f32, .m = 2, .n = 2, .k = 2});
    });
    for (const GemmEpilogue& epilogue :
         {GemmEpilogue{.bias = EpilogueVector::per_row}, {.activation = Activation::relu}, {.residual = true}})
      CHECK(mentions(expect_error(ErrorCode::unsupported_type,
                                  [&] {
                                    GemmProblem fused = ComplexProduct::problem();
                                    fused.epilogue = epilogue;
                                    gemm(shared_engine(), product.queue(), fused, product.operands);
                                  }),
                     "a product of c64 has no epilogue"));
    for (const Accuracy accuracy : {Accuracy::tf32, Accuracy::fp32_split})
      CHECK(mentions(expect_error(ErrorCode::unsupported_type,
                                  [&] {
                                    GemmPlan(shared_engine(),
                                             {.type = DataType::c64, .accuracy = accuracy, .m = 2, .n = 2, .k = 2});
                                  }),
                     "for products of f32, not of c64"));
    CHECK(mentions(expect_error(ErrorCode::unsupported_type,
                                [&] { MatrixAddPlan(shared_engine(), {.type = DataType::c64, .m = 4, .n = 4}); }),
                   "matrix_add has no c64"));
    expect_error(ErrorCode::unsupported_type, [&] {
      TransposePlan(shared_engine(), {.type = DataType::c64, .trans = Transpose::conjugate_transpose, .m = 4, .n = 4});
    });
    count_cases();
  }

  TEST_CASE("complex matrices are transposed as elements of their size") {
    ComplexProduct product;
    constexpr std::uint64_t rows = ComplexProduct::m, columns = ComplexProduct::n;
    const TransposeProblem problem{.type = DataType::c64, .m = rows, .n = columns};
    const GemmOperands& operands = product.operands;
    transpose(shared_engine(), product.queue(), problem, {.a = operands.b, .b = operands.c}).wait();
    const std::vector<Complex> found = product.read();
    bool right = true;
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < columns; ++j)
        right = right && found[j * rows + i] == product.b_values[i * columns + j];
    CHECK(right);
    count_cases();
  }
}

}  // namespace tilewright::test
