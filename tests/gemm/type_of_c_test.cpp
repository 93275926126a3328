// Products whose C has another type than A and B: unrounded sums, sizes in elements of C, and calls that must be
// refused. The conformance test covers the rest.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright::test {
namespace {

using detail::Bfloat16;
using detail::Half;

template <class T>
GemmProblem problem_of(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return {.type = detail::HostType<T>::type, .type_c = DataType::f32, .m = m, .n = n, .k = k};
}

// A product of A and B of type T and C of floats, each alone in its buffer.
template <class T>
struct MixedProduct {
  MixedProduct(const GemmProblem& of, T a_value, T b_value, float c_value)
      : problem(of),
        context(shared_engine().context(), true),
        queue(context, cl::Device(shared_engine().device(), true)),
        a(buffer_of(std::vector<T>(of.m * of.k, a_value))),
        b(buffer_of(std::vector<T>(of.k * of.n, b_value))),
        before(of.m * of.n, c_value),
        c(buffer_of(before)) {}

  template <class E>
  cl::Buffer buffer_of(const std::vector<E>& values) const {
    cl::Buffer buffer(context, CL_MEM_READ_WRITE, values.size() * sizeof(E));
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(E), values.data());
    return buffer;
  }

  GemmOperands operands(double alpha, double beta) const { return {alpha, {a()}, {b()}, beta, {c()}}; }

  std::vector<float> run(const Choice& choice, const GemmOperands& operands) {
    queue.enqueueWriteBuffer(c, CL_TRUE, 0, before.size() * sizeof(float), before.data());
    const GemmPlan plan(shared_engine(), problem, choice);
    plan.enqueue(queue(), operands).wait();
    count_kernel(plan);
    count_cases(1);
    std::vector<float> result(before.size());
    queue.enqueueReadBuffer(c, CL_TRUE, 0, result.size() * sizeof(float), result.data());
    return result;
  }

  GemmProblem problem;
  cl::Context context;
  cl::CommandQueue queue;
  cl::Buffer a, b;
  std::vector<float> before;
  cl::Buffer c;
};

template <class T>
std::vector<Choice> every_choice() {
  std::vector<Choice> choices;
  for (const VariantInfo& variant : third_of_variants(1))
    if (gemm_support(shared_engine().profile(), variant.name, problem_of<T>(64, 64, 64)).supported)
      choices.push_back({variant.name, {}});
  return choices;
}

bool all(const std::vector<float>& values, float wanted) { return values == std::vector<float>(values.size(), wanted); }

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_SUITE("type of C") {
  TEST_CASE_TEMPLATE("sums are stored unrounded", T, Half, Bfloat16) {
    constexpr std::uint64_t k = 4099;  // not representable as a half or a bfloat16
    int form = 0;
    for (const Choice& choice : every_choice<T>())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose transpose : {Transpose::no, Transpose::yes}) {
          CAPTURE(choice.variant);
          if (test_level() == TestLevel::quick && form++ % 5 != 0) continue;  // another one of the four per variant
          GemmProblem problem = problem_of<T>(5, 19, k);
          problem.layout = layout;
          problem.trans_a = problem.trans_b = transpose;
          MixedProduct<T> product(problem, T(1), T(1), not_a_number);
          CHECK(all(product.run(choice, product.operands(1, 0)), k));
        }
  }

  TEST_CASE_TEMPLATE("slices of k are summed in C's type", T, Half, Bfloat16) {
    const Choice choices[] = {{"register_blocked", {{"slice_k", 32}}},
                              {"packed_panel", {{"slice_k", 32}}},
                              {"group_reduction", {{"slice_k", 48}}}};
    for (const Choice& choice : choices) {
      CAPTURE(choice.variant);
      MixedProduct<T> product(problem_of<T>(1, 3, 4099), T(1), T(1), 0.5);
      CHECK(all(product.run(choice, product.operands(1, 2)), 4100));
    }
  }

  TEST_CASE_TEMPLATE("C keeps its precision when it is only scaled", T, Half, Bfloat16) {
    constexpr float digits = 1 + 0x1p-20F;
    for (const Choice& choice : every_choice<T>()) {
      CAPTURE(choice.variant);
      MixedProduct<T> product(problem_of<T>(7, 5, 3), T(not_a_number), T(1), digits);
      CHECK(all(product.run(choice, product.operands(0, -1)), -digits));
      CHECK(all(product.run(choice, product.operands(0, 0)), 0));
      GemmProblem empty = problem_of<T>(7, 5, 0);
      product.problem = empty;
      GemmOperands operands = product.operands(1, 1.5);
      operands.a = operands.b = {};
      CHECK(all(product.run(choice, operands), 1.5F * digits));
    }
  }

  TEST_CASE_TEMPLATE("offsets and leading dimensions of C count elements of C", T, Half, Bfloat16) {
    for (const Choice& choice : every_choice<T>()) {
      CAPTURE(choice.variant);
      MixedProduct<T> product(problem_of<T>(3, 4, 2), T(1), T(1), not_a_number);
      product.problem.ldc = 6;
      product.problem.offset_alignment = 1;
      product.before.assign(3 + 2 * 6 + 4, -1);
      product.c = product.buffer_of(product.before);
      GemmOperands operands = product.operands(1, 0);
      operands.c.offset = 3;
      const std::vector<float> result = product.run(choice, operands);
      for (std::size_t i = 0; i < result.size(); ++i) CHECK(result[i] == (i >= 3 && (i - 3) % 6 < 4 ? 2 : -1));
      operands.c.offset = 4;
      expect_error(ErrorCode::buffer_too_small, OperandName::c, [&] { product.run(choice, operands); });
    }
  }

  TEST_CASE_TEMPLATE("a packed matrix serves either type of C", T, Half, Bfloat16) {
    for (const Choice& choice : every_choice<T>()) {
      CAPTURE(choice.variant);
      MixedProduct<T> product(problem_of<T>(37, 53, 40), T(3), T(1.5), not_a_number);
      GemmProblem narrow = product.problem;
      narrow.type_c = {};
      const PackedMatrix packed(GemmPlan(shared_engine(), narrow, choice), GemmInput::b, product.queue(),
                                {product.b()});
      GemmOperands operands = product.operands(1, 0);
      operands.b = {};
      operands.packed_b = &packed;
      CHECK(all(product.run(choice, operands), 180));
    }
  }

  TEST_CASE_TEMPLATE("alternating calls with either type use separate plans", T, Half, Bfloat16) {
    MixedProduct<T> product(problem_of<T>(2, 2, 2), T(1), T(2), not_a_number);
    const cl::Buffer narrow_c = product.buffer_of(std::vector<T>(4));
    for (int turn = 0; turn < 2; ++turn) {
      GemmProblem problem = product.problem;
      GemmOperands operands = product.operands(1, 0);
      gemm(shared_engine(), product.queue(), problem, operands).wait();
      problem.type_c = {};
      operands.c = {narrow_c()};
      gemm(shared_engine(), product.queue(), problem, operands).wait();
    }
    std::vector<float> wide(4);
    std::vector<T> narrow(4);
    product.queue.enqueueReadBuffer(product.c, CL_TRUE, 0, 4 * sizeof(float), wide.data());
    product.queue.enqueueReadBuffer(narrow_c, CL_TRUE, 0, 4 * sizeof(T), narrow.data());
    CHECK(all(wide, 4));
    CHECK(all({narrow.begin(), narrow.end()}, 4));
  }

  TEST_CASE("overlap of C with an input of another type is checked in bytes") {
    MixedProduct<Half> product(problem_of<Half>(4, 4, 4), Half(1), Half(1), 0);
    const cl::Buffer shared(product.context, CL_MEM_READ_WRITE, 4096);
    const auto call = [&](std::uint64_t a, std::uint64_t c) {
      GemmOperands operands = product.operands(1, 0);
      operands.a = {shared(), a};
      operands.c = {shared(), c};
      gemm(shared_engine(), product.queue(), product.problem, operands).wait();
    };
    // 16 elements of A have 32 bytes, 16 elements of C have 64.
    CHECK_NOTHROW(call(0, 8));
    expect_error(ErrorCode::overlapping_operands, OperandName::c, [&] { call(1, 8); });
    CHECK_NOTHROW(call(32, 0));
    expect_error(ErrorCode::overlapping_operands, OperandName::c, [&] { call(31, 0); });
  }

  TEST_CASE("an unsupported type of C is refused, and the message lists the supported ones") {
    const auto message = [](DataType type, DataType type_c) {
      const GemmProblem problem{.type = type, .type_c = type_c, .m = 4, .n = 4, .k = 4};
      expect_error(ErrorCode::unsupported_type, OperandName::c, [&] { GemmPlan(shared_engine(), problem); });
      return expect_error(ErrorCode::unsupported_type,
                          [&] { return explain_gemm(shared_engine().profile(), problem); });
    };
    CHECK(
        mentions(message(DataType::f16, DataType::bf16), "C cannot be bf16 if A and B are f16; it can be f16 or f32"));
    CHECK(mentions(message(DataType::bf16, DataType::f64), "it can be bf16 or f32"));
    CHECK(mentions(message(DataType::f32, DataType::f16), "if A and B are f32; it can be f32"));
  }
}

}  // namespace tilewright::test
