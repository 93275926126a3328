// Epilogues with special values and in calls of every kind. The conformance test covers the rest.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gemm/epilogue.hpp"
#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/packed_matrix.hpp"
#include "verification/gemm/epilogue_reference.hpp"

namespace tilewright::test {
namespace {

template <class E>
cl::Buffer buffer_of(const std::vector<E>& values) {
  const cl::CommandQueue queue(shared_context(), cl::Device(device_under_test().id, true));
  cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(E));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(E), values.data());
  return buffer;
}

template <class E>
std::vector<E> read(const cl::Buffer& buffer) {
  const cl::CommandQueue queue(shared_context(), cl::Device(device_under_test().id, true));
  std::vector<E> values(buffer.getInfo<CL_MEM_SIZE>() / sizeof(E));
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(E), values.data());
  return values;
}

Event enqueue(const GemmProblem& problem, const GemmOperands& operands, const Choice& choice = {}) {
  const cl::CommandQueue queue(shared_context(), cl::Device(device_under_test().id, true));
  const GemmPlan plan(shared_engine(), problem, choice);
  Event event = plan.enqueue(queue(), operands);
  event.wait();
  count_kernel(plan);
  count_cases();
  return event;
}

// The conformance test covers all variants; each needs a compilation here.
constexpr const char* some_variants[] = {"naive", "register_blocked", "packed_panel"};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                              infinity,
                              -infinity,
                              -0.0,
                              0,
                              1,
                              -1,
                              0.25,
                              -0.25,
                              3,
                              -3,
                              -8,
                              20,
                              -20,
                              -2000,
                              2000,
                              -6e4,
                              6e4};
constexpr std::uint64_t count = std::size(numbers);

// C = activation(C), computed by a product with k = 0.
template <class T>
void check_activation(Activation activation) {
  using Real = verification::Wide<T>;
  std::vector<T> before;
  for (int row = 0; row < 3; ++row)
    for (const double number : numbers) before.push_back(static_cast<T>(static_cast<detail::Accumulator<T>>(number)));
  const cl::Buffer c = buffer_of(before);
  const GemmProblem problem{
      .type = detail::HostType<T>::type, .m = 3, .n = count, .k = 0, .epilogue = {.activation = activation}};
  enqueue(problem, {.beta = 1, .c = {c()}}, {"naive", {}});
  const std::vector<T> after = read<T>(c);
  const auto roundoff = static_cast<Real>(std::numeric_limits<T>::epsilon()) / 2 +
                        24 * static_cast<Real>(std::numeric_limits<detail::Accumulator<T>>::epsilon());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto number = static_cast<Real>(before[i]);
    const auto result = static_cast<Real>(after[i]);
    const Real wanted = verification::activated(activation, number);
    CAPTURE(static_cast<double>(number));
    CAPTURE(static_cast<double>(result));
    CAPTURE(static_cast<double>(wanted));
    if (std::isnan(wanted)) {
      CHECK(std::isnan(result));
    } else if (std::isinf(wanted)) {
      CHECK(result == wanted);
    } else {
      // The bound is relative, even for results far below 1. The argument's rounding error grows with its magnitude.
      const Real factor = 1 + std::min<Real>(number * number, 1e4);
      CHECK(std::abs(result - wanted) <= roundoff * factor * std::abs(wanted) + std::numeric_limits<T>::min());
    }
    if (activation == Activation::relu && number <= 0) CHECK_FALSE(std::signbit(result));
  }
}

}  // namespace

TEST_SUITE("epilogue calls") {
  TEST_CASE("NaN, infinities, zeros and large numbers pass through the activations of every type") {
    for (const Activation activation : {Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu}) {
      CAPTURE(static_cast<int>(activation));
      check_activation<float>(activation);
      check_activation<detail::Half>(activation);
      check_activation<detail::Bfloat16>(activation);
      if (shared_engine().profile().fp64) check_activation<double>(activation);
    }
  }

  TEST_CASE("alpha = 0 or k = 0 with beta = 1 still runs the epilogue") {
    const std::vector<float> bias{10, 20, 30, 40, 50, 60, 70};
    const cl::Buffer bias_buffer = buffer_of(bias);
    for (const char* const variant : some_variants)
      for (const bool no_depth : {true, false}) {
        CAPTURE(variant);
        SmallProduct product;
        if (no_depth) product.problem.k = 0;
        product.problem.epilogue.bias = EpilogueVector::per_column;
        product.operands.alpha = no_depth ? 2 : 0;
        product.operands.beta = 1;
        product.operands.a = product.operands.b = {};
        product.operands.bias = {bias_buffer()};
        enqueue(product.problem, product.operands, {variant, {}});
        const std::vector<float> result = product.read(product.c);
        for (std::size_t i = 0; i < result.size(); ++i) CHECK(result[i] == product.before()[i] + bias[i % 7]);
      }
  }

  TEST_CASE("scale and bias follow the caller's rows and columns in either layout") {
    const std::vector<float> rows{1, 2, 3}, columns{10, 20, 30, 40, 50};
    const cl::Buffer scale = buffer_of(rows), bias = buffer_of(columns);
    const cl::Buffer c = buffer_of(std::vector<float>(3 * 5, 7));
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      const GemmProblem problem{.layout = layout,
                                .m = 3,
                                .n = 5,
                                .k = 0,
                                .epilogue = {.scale = EpilogueVector::per_row, .bias = EpilogueVector::per_column}};
      const cl::Buffer fresh = buffer_of(std::vector<float>(3 * 5, 7));
      GemmOperands operands{.beta = 1, .c = {fresh()}};
      operands.scale = {scale()};
      operands.bias = {bias()};
      enqueue(problem, operands);
      const std::vector<float> result = read<float>(fresh);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 5; ++j)
          CHECK(result[layout == Layout::row_major ? i * 5 + j : j * 3 + i] == 7 * rows[i] + columns[j]);
    }
  }

  TEST_CASE("in a batch by offsets the offsets of C also apply to the residual") {
    std::vector<float> before(20, 1), residual(20);
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = static_cast<float>(i);
    const cl::Buffer c = buffer_of(before), added = buffer_of(residual);
    const GemmProblem problem{.m = 2,
                              .n = 2,
                              .k = 0,
                              .offset_alignment = 1,
                              .batch = {.count = 2, .by_offsets = true},
                              .epilogue = {.residual = true}};
    const std::uint64_t zeros[] = {0, 0}, places[] = {11, 3};
    GemmOperands operands{.beta = 1, .c = {c(), 2}};
    operands.offsets = {zeros, zeros, places};
    operands.residual = {added(), 1};
    enqueue(problem, operands);
    for (const std::uint64_t place : places)
      for (std::size_t i = 0; i < 4; ++i) before[2 + place + i] += residual[1 + place + i];
    CHECK(read<float>(c) == before);
  }

  TEST_CASE("products of a batch may share a residual and have their own scalars") {
    const cl::Buffer c = buffer_of(std::vector<float>(8, 1)), added = buffer_of(std::vector<float>{1, 2, 3, 4});
    const GemmProblem problem{
        .m = 2, .n = 2, .k = 0, .batch = {.count = 2, .stride_c = 4}, .epilogue = {.residual = true}};
    const Scalar alphas[] = {1, 1}, betas[] = {1, 3};
    GemmOperands operands{.c = {c()}};
    operands.scalars = {alphas, betas};
    operands.residual = {added()};
    enqueue(problem, operands);
    CHECK(read<float>(c) == std::vector<float>{2, 3, 4, 5, 4, 5, 6, 7});
  }

  TEST_CASE("a packed matrix serves plans with and without an epilogue") {
    const SmallProduct product;
    GemmProblem fused = product.problem;
    fused.epilogue.scale = EpilogueVector::per_row;
    const cl::Buffer scale = buffer_of(std::vector<float>{2, 2, 2, 2, 2});
    for (const char* const variant : {"naive", "packed_panel", "local_tile"}) {
      if (!gemm_support(shared_engine().profile(), variant, product.problem).supported) continue;
      const GemmPlan plain(product.engine, product.problem, {variant, {}});
      const GemmPlan with_epilogue(product.engine, fused, {variant, {}});
      const PackedMatrix packed(plain, GemmInput::b, product.queue(), product.operands.b);
      GemmOperands operands = product.operands;
      operands.packed_b = &packed;
      operands.scale = {scale()};
      for (const GemmPlan* const plan : {&plain, &with_epilogue}) {
        product.reset_c();
        plan->enqueue(product.queue(), operands).wait();
        count_kernel(*plan);
        const std::vector<float> result = product.read(product.c);
        for (std::size_t i = 0; i < result.size(); ++i)
          CHECK(result[i] == (plan == &plain ? 1 : 2) * product.after()[i]);
      }
    }
  }

  TEST_CASE("gemm() does not reuse a recent plan with another epilogue") {
    SmallProduct product;
    const cl::Buffer vector = buffer_of(std::vector<float>{1, 2, 3, 4, 5, 6, 7});
    product.operands.bias = {vector()};
    for (int round = 0; round < 2; ++round)
      for (const EpilogueVector bias : {EpilogueVector::none, EpilogueVector::per_row, EpilogueVector::per_column})
        for (const Activation activation : {Activation::none, Activation::relu}) {
          product.problem.epilogue = {.bias = bias, .activation = activation};
          product.reset_c();
          product.run().wait();
          const std::vector<float> result = product.read(product.c);
          for (std::size_t i = 0; i < result.size(); ++i) {
            const std::size_t number = bias == EpilogueVector::per_row ? i / 7 : i % 7;
            float wanted = product.after()[i];
            if (bias != EpilogueVector::none) wanted += static_cast<float>(number + 1);
            if (activation == Activation::relu) wanted = std::max(wanted, 0.0F);
            CHECK(result[i] == wanted);
          }
          count_cases();
        }
  }
}

}  // namespace tilewright::test
