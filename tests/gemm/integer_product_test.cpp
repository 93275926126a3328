// Integer products: exact modulo 2^32, with integers as scalars; and calls that must be refused. The conformance test
// covers the rest.
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::test {
namespace {

constexpr double two_to_31 = 0x1p31;

// m x n elements, each the sum of k equal products.
template <class T>
class EqualProducts {
 public:
  EqualProducts(T a_value, T b_value, std::uint64_t depth, std::uint64_t products = 1)
      : k(depth),
        count(products),
        a(std::max<std::uint64_t>(1, count * m * k), a_value),
        b(std::max<std::uint64_t>(1, count * k * n), b_value),
        c(count * m * n, 7) {}

  GemmProblem problem() const {
    return {.type = detail::HostType<T>::type,
            .m = m,
            .n = n,
            .k = k,
            .batch = {.count = count, .stride_a = m * k, .stride_b = k * n, .stride_c = m * n}};
  }

  std::vector<std::int32_t> run(const Choice& choice, double alpha, double beta, const GemmScalars& scalars = {}) {
    const cl::Context context(shared_engine().context(), true);
    const cl::CommandQueue queue(context, cl::Device(shared_engine().device(), true));
    const auto buffer_of = [&](auto& values) {
      return cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(values[0]),
                        values.data());
    };
    const cl::Buffer device_a = buffer_of(a), device_b = buffer_of(b), device_c = buffer_of(c);
    GemmOperands operands{alpha, {device_a()}, {device_b()}, beta, {device_c()}};
    operands.scalars = scalars;
    const GemmPlan plan(shared_engine(), problem(), choice);
    plan.enqueue(queue(), operands).wait();
    count_kernel(plan);
    count_cases(1);
    std::vector<std::int32_t> result(c.size());
    queue.enqueueReadBuffer(device_c, CL_TRUE, 0, result.size() * sizeof(std::int32_t), result.data());
    return result;
  }

  static constexpr std::uint64_t m = 5, n = 19;
  std::uint64_t k, count;
  std::vector<T> a, b;
  std::vector<std::int32_t> c;
};

bool all(const std::vector<std::int32_t>& values, std::int64_t wanted) {
  const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(wanted));
  return values == std::vector<std::int32_t>(values.size(), wrapped);
}

std::vector<Choice> every_choice() {
  std::vector<Choice> choices;
  for (const VariantInfo& variant : third_of_variants(0))
    if (gemm_support(shared_engine().profile(), variant.name, {.type = DataType::i8, .m = 64, .n = 64, .k = 64})
            .supported)
      choices.push_back({variant.name, {}});
  return choices;
}

}  // namespace

TEST_SUITE("integer products") {
  TEST_CASE("sums beyond 2^31 wrap around") {
    constexpr std::uint64_t k = 40000;
    bool has_sign = true;  // alternates, because each type needs a compilation
    for (const Choice& choice : every_choice()) {
      CAPTURE(choice.variant);
      if (std::exchange(has_sign, !has_sign))
        CHECK(all(EqualProducts<std::int8_t>(-128, -128, k).run(choice, 5, 3), std::int64_t{5} * 128 * 128 * k + 21));
      else
        CHECK(all(EqualProducts<std::uint8_t>(255, 255, k).run(choice, 1, 0), std::int64_t{255} * 255 * k));
      CHECK(all(EqualProducts<std::int8_t>(-128, 127, 3).run(choice, two_to_31 - 1, -two_to_31),
                std::int64_t{-3} * 128 * 127 * 2147483647 - (std::int64_t{7} << 31)));
    }
  }

  TEST_CASE("slices of k are summed exactly") {
    const Choice choices[] = {{"register_blocked", {{"slice_k", 32}}},
                              {"packed_panel", {{"slice_k", 32}}},
                              {"dot_block", {{"slice_k", 64}}},
                              {"dot4_blocked", {{"slice_k", 128}}},
                              {"group_reduction", {{"slice_k", 48}}}};
    for (const Choice& choice : choices) {
      CAPTURE(choice.variant);
      CHECK(all(EqualProducts<std::uint8_t>(255, 254, 4099).run(choice, -3, 2),
                std::int64_t{-3} * 255 * 254 * 4099 + 14));
    }
  }

  TEST_CASE("C is scaled exactly without a product") {
    for (const Choice& choice : every_choice()) {
      CAPTURE(choice.variant);
      CHECK(all(EqualProducts<std::int8_t>(-128, -1, 9).run(choice, 0, -two_to_31), std::int64_t{7} << 31));
      CHECK(all(EqualProducts<std::int8_t>(-128, -1, 0).run(choice, 1, 3), 21));
      CHECK(all(EqualProducts<std::int8_t>(-128, -1, 9).run(choice, 0, 0), 0));
    }
  }

  TEST_CASE("scalars are 32-bit integers") {
    EqualProducts<std::int8_t> products(1, 1, 4, 2);
    for (const double scalar : {0.5, -1e-30, two_to_31, -two_to_31 - 1, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()}) {
      CHECK(mentions(expect_error(ErrorCode::invalid_scalar, [&] { products.run({}, scalar, 0); }), "alpha is "));
      CHECK(mentions(expect_error(ErrorCode::invalid_scalar, [&] { products.run({}, 1, scalar); }), "beta is "));
      const std::vector<Scalar> alphas{1, scalar};
      expect_error(ErrorCode::invalid_scalar, [&] { products.run({}, 1, 0, {.alpha = alphas, .beta = {}}); });
    }
    const std::vector<Scalar> imaginary{1, {1, 1}};
    CHECK(mentions(expect_error(ErrorCode::invalid_scalar, [&] { products.run({}, 1, 0, {.beta = imaginary}); }),
                   "beta has an imaginary part, but the elements are i8"));
    const std::vector<Scalar> alphas{-1, two_to_31 - 1}, betas{0, 1};
    const std::vector<std::int32_t> result = products.run({}, 1, 0, {.alpha = alphas, .beta = betas});
    const auto second = result.begin() + static_cast<std::ptrdiff_t>(result.size() / 2);
    CHECK(all({result.begin(), second}, -4));
    CHECK(all({second, result.end()}, std::int64_t{4} * 2147483647 + 7));
  }

  TEST_CASE("quantized sums round half to even, add the zero point and saturate") {
    const cl::Context context(shared_engine().context(), true);
    const cl::CommandQueue queue(context, cl::Device(shared_engine().device(), true));
    // A column of numbers times 1, halved: 127 / 2 = 63.5.
    std::vector<std::int8_t> a{-128, -127, -5, -3, -1, 0, 1, 3, 5, 126, 127}, b{1, 1}, c(2 * a.size());
    std::vector<float> scale{0.5F, 4}, bias(a.size(), 0);
    bias.front() = std::numeric_limits<float>::quiet_NaN();
    const auto buffer_of = [&](auto& values) {
      return cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(values[0]),
                        values.data());
    };
    const cl::Buffer device_a = buffer_of(a), device_b = buffer_of(b), device_c = buffer_of(c),
                     device_scale = buffer_of(scale), device_bias = buffer_of(bias);
    GemmProblem problem{.type = DataType::i8, .type_c = DataType::i8, .m = a.size(), .n = 2, .k = 1};
    problem.epilogue = {.scale = EpilogueVector::per_column, .bias = EpilogueVector::per_row, .zero_point = 3};
    const GemmOperands operands{.alpha = 1,
                                .a = {device_a()},
                                .b = {device_b()},
                                .c = {device_c()},
                                .scale = {device_scale()},
                                .bias = {device_bias()}};
    const std::vector<std::int8_t> expected{3, 3, -61, -128, 1,  -17, 1,  -9, 3,   -1, 3,
                                            3, 3, 7,   5,    15, 5,   23, 66, 127, 67, 127};
    for (const Choice& choice : every_choice()) {
      CAPTURE(choice.variant);
      const GemmPlan plan(shared_engine(), problem, choice);
      plan.enqueue(queue(), operands).wait();
      count_kernel(plan);
      queue.enqueueReadBuffer(device_c, CL_TRUE, 0, c.size(), c.data());
      CHECK(c == expected);
      GemmOperands with_c = operands;
      with_c.beta = 1;
      expect_error(ErrorCode::invalid_scalar, [&] { plan.enqueue(queue(), with_c); });
      count_cases(1);
    }
  }

  TEST_CASE("integers can be transposed but not scaled") {
    const cl::Context context(shared_engine().context(), true);
    const cl::CommandQueue queue(context, cl::Device(shared_engine().device(), true));
    std::vector<std::int8_t> values{-128, 2, 3, 4, 5, 127};
    const cl::Buffer a(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size(), values.data());
    const cl::Buffer b(context, CL_MEM_READ_WRITE, 6);
    const TransposeProblem problem{.type = DataType::i8, .m = 2, .n = 3};
    transpose(shared_engine(), queue(), problem, {.a = {a()}, .b = {b()}}).wait();
    queue.enqueueReadBuffer(b, CL_TRUE, 0, 6, values.data());
    CHECK(values == std::vector<std::int8_t>{-128, 4, 2, 5, 3, 127});
    for (const Scalar alpha : {Scalar(0), Scalar(2), Scalar(0.5)})
      CHECK(mentions(
          expect_error(ErrorCode::unsupported_type,
                       [&] { transpose(shared_engine(), queue(), problem, {.alpha = alpha, .a = {a()}, .b = {b()}}); }),
          "integers are only copied"));
  }
}

}  // namespace tilewright::test
