// C = alpha op(A) op(B) + beta C by Strassen's method: exact on integers and otherwise within the norm-wise bound, for
// every layout, transpose and size, on every queue, with and without a lent workspace.
#include "tilewright/strassen.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

// A variant that has one program for all products of a type.
const Choice plainest{"naive", {}};

StoredShape shape_of(Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t gap) {
  if (layout == Layout::column_major) std::swap(rows, columns);
  return {rows, columns, columns + gap};
}

template <class T>
void fill(GuardedMatrix<T>& matrix, DataKind kind, std::uint64_t seed) {
  const StoredShape& shape = matrix.shape();
  const auto values = random_data<T>(shape.lines * shape.length, kind, seed);
  for (std::uint64_t line = 0; line < shape.lines; ++line)
    std::copy_n(values.data() + line * shape.length, shape.length, matrix.data() + line * shape.leading);
}

struct StrassenCase {
  GemmProblem product;
  unsigned levels = 1;
  double alpha = 2, beta = -3;
  std::uint64_t offset = 0, gap = 0;
  DataKind kind = DataKind::integers;
};

// The matrices of a case. All elements around them are poisoned.
template <class T>
struct StrassenMatrices {
  explicit StrassenMatrices(const StrassenCase& test) : StrassenMatrices(test, test.product) {}
  StrassenMatrices(const StrassenCase& test, const GemmProblem& p)
      : a(shared_engine(),
          p.trans_a == Transpose::no ? shape_of(p.layout, p.m, p.k, test.gap) : shape_of(p.layout, p.k, p.m, test.gap),
          test.offset, Memory::exact),
        b(shared_engine(),
          p.trans_b == Transpose::no ? shape_of(p.layout, p.k, p.n, test.gap) : shape_of(p.layout, p.n, p.k, test.gap),
          test.offset, Memory::sub_buffer),
        c(shared_engine(), shape_of(p.layout, p.m, p.n, test.gap), test.offset, Memory::banded) {
    fill(a, test.kind, 1);
    fill(b, test.kind, 2);
    fill(c, test.kind, 3);
    if (test.beta == 0) c.poison();
  }

  StrassenProblem problem(const StrassenCase& test) const {
    StrassenProblem result{.product = test.product, .levels = test.levels};
    result.product.type = detail::HostType<T>::type;
    result.product.lda = a.shape().leading;
    result.product.ldb = b.shape().leading;
    result.product.ldc = c.shape().leading;
    if (test.offset % 16 != 0) result.product.offset_alignment = 1;
    return result;
  }

  GuardedMatrix<T> a, b, c;
};

// The largest magnitude of an element.
template <class T>
double norm(const GuardedMatrix<T>& matrix) {
  double most = 0;
  for (std::uint64_t line = 0; line < matrix.shape().lines; ++line)
    for (std::uint64_t i = 0; i < matrix.shape().length; ++i)
      most = std::max(most, std::abs(static_cast<double>(matrix.data()[line * matrix.shape().leading + i])));
  return most;
}

// The largest difference from a product in long double precision.
template <class T>
double error_of(const StrassenCase& test, const StrassenMatrices<T>& m) {
  const GemmProblem& p = test.product;
  const auto at = [&](const T* values, std::uint64_t ld, std::uint64_t i, std::uint64_t j) {
    return static_cast<long double>(values[p.layout == Layout::row_major ? i * ld + j : j * ld + i]);
  };
  long double most = 0;
  for (std::uint64_t i = 0; i < p.m; ++i)
    for (std::uint64_t j = 0; j < p.n; ++j) {
      long double sum = 0;
      for (std::uint64_t x = 0; x < p.k; ++x)
        sum += (p.trans_a == Transpose::no ? at(m.a.data(), m.a.shape().leading, i, x)
                                           : at(m.a.data(), m.a.shape().leading, x, i)) *
               (p.trans_b == Transpose::no ? at(m.b.data(), m.b.shape().leading, x, j)
                                           : at(m.b.data(), m.b.shape().leading, j, x));
      sum *= static_cast<long double>(test.alpha);
      if (test.beta != 0) sum += static_cast<long double>(test.beta) * at(m.c.data(), m.c.shape().leading, i, j);
      const long double error = std::abs(at(m.c.result(), m.c.shape().leading, i, j) - sum);
      if (!(error <= most)) most = error;
      if (std::isnan(error)) return NAN;
    }
  return static_cast<double>(most);
}

template <class T>
void check(const StrassenCase& test, const Choice& choice = plainest, const Engine& engine = shared_engine()) {
  StrassenMatrices<T> matrices(test);
  const cl::CommandQueue queue = make_queue();
  for (const auto* matrix : {&matrices.a, &matrices.b, &matrices.c}) matrix->upload(queue);
  strassen(
      engine, queue(), matrices.problem(test),
      {.alpha = test.alpha, .a = matrices.a.ref(), .b = matrices.b.ref(), .beta = test.beta, .c = matrices.c.ref()}, {},
      choice)
      .wait();
  count_cases();
  count_kernel_of("strassen");
  for (auto* matrix : {&matrices.a, &matrices.b, &matrices.c}) matrix->download(queue);
  const double error = error_of(test, matrices), u = detail::element_type(detail::HostType<T>::type).roundoff;
  const double before = test.beta == 0 ? 0 : norm(matrices.c);
  const double bound = test.kind == DataKind::integers
                           ? 0
                           : strassen_error_factor(test.product.k, test.levels) * u * std::abs(test.alpha) *
                                     norm(matrices.a) * norm(matrices.b) +
                                 (test.levels + 3) * u * std::abs(test.beta) * before;
  CAPTURE(error);
  CAPTURE(bound);
  CHECK(error <= bound);  // fails for NaN
  CHECK(matrices.c.damage(true).empty());
  CHECK(matrices.a.damage(false).empty());
  CHECK(matrices.b.damage(false).empty());
}

template <class T>
void check_forms() {
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Transpose trans_a : {Transpose::no, Transpose::yes})
      for (const Transpose trans_b : {Transpose::no, Transpose::conjugate_transpose})
        for (const unsigned levels : {1U, 2U}) {
          const bool odd = (trans_a == Transpose::no) == (levels == 1);
          CAPTURE(levels);
          check<T>({.product = {.layout = layout, .trans_a = trans_a, .trans_b = trans_b, .m = 37, .n = 50, .k = 67},
                    .levels = levels,
                    .beta = odd ? -3.0 : 0.0,
                    .offset = odd ? 3U : 0U,
                    .gap = odd ? 5U : 1U});
        }
}

}  // namespace

TEST_SUITE("strassen") {
  TEST_CASE("integer products are exact: layouts, transposes, odd sizes, offsets, gaps, beta") {
    check_forms<float>();
    if (shared_engine().profile().fp64) check_forms<double>();
    check<float>({.product = {.m = 64, .n = 96, .k = 128}, .levels = 2});
    check<float>({.product = {.m = 16, .n = 17, .k = 33}, .levels = 4, .beta = 1});
    check<float>({.product = {.m = 530, .n = 20, .k = 10}, .levels = 1, .beta = 0});
  }

  TEST_CASE("the error stays within the norm-wise bound") {
    for (const DataKind kind : {DataKind::uniform, DataKind::positive})
      for (const unsigned levels : {1U, 2U, 3U}) {
        check<float>({.product = {.m = 100, .n = 90, .k = 130}, .levels = levels, .alpha = 1.5, .kind = kind});
        if (shared_engine().profile().fp64)
          check<double>({.product = {.m = 70, .n = 66, .k = 90}, .levels = levels, .alpha = 1.5, .kind = kind});
      }
  }

  TEST_CASE("small products with the variant that gemm chooses") {
    check<float>({.product = {.m = 200, .n = 180, .k = 220}, .levels = 1}, {});
  }

  TEST_CASE("sums as on GPUs: small vectors, aligned or not, many work-items per row") {
    const Engine engine(shared_context()(), device_under_test().id);
    DeviceProfile profile = engine.profile();
    profile.type = DeviceType::gpu;
    state_of(engine).set_profile(profile);
    check<float>({.product = {.m = 48, .n = 64, .k = 96}, .gap = 16}, plainest, engine);
    check<float>({.product = {.trans_a = Transpose::yes, .m = 47, .n = 61, .k = 33}, .offset = 1}, plainest, engine);
    if (profile.fp64) check<double>({.product = {.m = 32, .n = 40, .k = 36}, .levels = 2}, plainest, engine);
  }

  TEST_CASE("zero scalars and empty products read nothing") {
    for (const double beta : {0.0, 1.0, 2.0}) {
      StrassenCase test{.product = {.m = 8, .n = 9, .k = 7}, .alpha = 0, .beta = beta};
      StrassenMatrices<float> matrices(test);
      const cl::CommandQueue queue = make_queue();
      matrices.c.upload(queue);
      const StrassenPlan plan(shared_engine(), matrices.problem(test), plainest);
      CHECK(plan.levels() == 1);
      CHECK(plan.products() == 7);
      plan.enqueue(queue(), {.alpha = 0, .beta = beta, .c = matrices.c.ref()}).wait();
      matrices.c.download(queue);
      bool right = true;
      for (std::uint64_t i = 0; i < 72; ++i)
        right = right && matrices.c.result()[i] == (beta == 0 ? 0 : static_cast<float>(beta) * matrices.c.data()[i]);
      CHECK(right);
      CHECK(matrices.c.damage(true).empty());
    }
    const cl::CommandQueue queue = make_queue();
    strassen(shared_engine(), queue(), {.product = {.m = 0, .n = 5, .k = 5}, .levels = 1}, {}, {}, plainest).wait();
    count_cases(4);
  }

  TEST_CASE("infinity and NaN make every element that they reach infinite or NaN") {
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
      for (const std::uint64_t row : {2U, 9U})
        for (const std::uint64_t column : {1U, 10U}) {
          StrassenCase test{.product = {.m = 11, .n = 12, .k = 13}, .beta = 0};
          StrassenMatrices<float> matrices(test);
          matrices.a.data()[row * 13 + column] = value;
          const cl::CommandQueue queue = make_queue();
          for (const auto* matrix : {&matrices.a, &matrices.b, &matrices.c}) matrix->upload(queue);
          strassen(shared_engine(), queue(), matrices.problem(test),
                   {.a = matrices.a.ref(), .b = matrices.b.ref(), .c = matrices.c.ref()}, {}, plainest)
              .wait();
          matrices.c.download(queue);
          for (std::uint64_t j = 0; j < 12; ++j) CHECK(!std::isfinite(matrices.c.result()[row * 12 + j]));
          count_cases();
        }
  }

  TEST_CASE("calls run one after another on any queue, with and without a lent workspace and an event") {
    StrassenCase test{.product = {.m = 40, .n = 44, .k = 36}, .levels = 2, .beta = 0};
    StrassenMatrices<float> matrices(test);
    std::vector<cl::CommandQueue> queues{make_queue(), make_queue()};
    if (has_out_of_order_queues()) queues.push_back(make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    for (const auto* matrix : {&matrices.a, &matrices.b, &matrices.c}) matrix->upload(queues[0]);
    queues[0].finish();
    const StrassenPlan plan(shared_engine(), matrices.problem(test), plainest);
    const cl::Buffer lent(shared_context(), CL_MEM_READ_WRITE, plan.workspace_bytes() + 256);
    std::vector<cl::Buffer> results;
    std::vector<Event> events;
    for (std::size_t call = 0; call < 6; ++call) {
      results.emplace_back(shared_context(), CL_MEM_READ_WRITE, sizeof(float) * 40 * 44);
      StrassenOperands operands{.alpha = 2, .a = matrices.a.ref(), .b = matrices.b.ref(), .c = {results.back()()}};
      if (call == 5) operands.workspace = {lent(), 256};
      operands.event = call != 0;
      Event event = plan.enqueue(queues[call % queues.size()](), operands);
      if (operands.event) events.push_back(std::move(event));
    }
    for (const Event& event : events) event.wait();
    queues[0].finish();
    // All results agree, and the first element is exact.
    matrices.c.download(queues[0]);
    std::vector<std::vector<float>> found(results.size(), std::vector<float>(40 * 44));
    for (std::size_t call = 0; call < results.size(); ++call)
      queues[0].enqueueReadBuffer(results[call], CL_TRUE, 0, sizeof(float) * 40 * 44, found[call].data());
    for (const auto& other : found) CHECK(other == found.front());
    double sum = 0;
    for (std::uint64_t x = 0; x < 36; ++x)
      sum += 2 * static_cast<double>(matrices.a.data()[x]) * static_cast<double>(matrices.b.data()[x * 44]);
    CHECK(static_cast<double>(found.front().front()) == sum);
    count_cases(6);
  }

  TEST_CASE("a plan explains its levels and its small products, as explain_strassen() does") {
    for (const unsigned levels : {0U, 1U, 2U}) {
      const StrassenProblem problem{.product = {.m = 40, .n = 44, .k = 36}, .levels = levels};
      const StrassenPlan plan(shared_engine(), problem, plainest);
      const Explanation& explanation = plan.explanation();
      const Explanation expected = explain_strassen(shared_engine().profile(), problem, plainest);
      CHECK(explanation.problem == "strassen f32 40x44x36");
      CHECK(explanation.configuration == Configuration{{"levels", levels}});
      CHECK(explanation.variant.empty());
      CHECK(explanation.reason == "forced by the caller");
      CHECK(explanation.candidates.empty());
      CHECK(expected.problem == explanation.problem);
      CHECK(expected.configuration == explanation.configuration);
      CHECK(expected.candidates.size() == max_strassen_levels + 1);
      REQUIRE(explanation.parts.size() == expected.parts.size());
      REQUIRE_FALSE(explanation.parts.empty());
      for (std::size_t i = 0; i < explanation.parts.size(); ++i) {
        CHECK(explanation.parts[i].problem == expected.parts[i].problem);
        CHECK(explanation.parts[i].variant == plainest.variant);
        CHECK(expected.parts[i].variant == plainest.variant);
      }
      CHECK(explanation.parts.front().problem == (levels == 0   ? "gemm f32 40x44x36"
                                                  : levels == 1 ? "gemm f32 20x22x18"
                                                                : "gemm f32 10x11x9"));
    }
    count_cases(3);
  }

  TEST_CASE("each mistake has its own error, before anything is enqueued") {
    const Engine& engine = shared_engine();
    const auto refused = [&](ErrorCode code, const GemmProblem& product) {
      return expect_error(code, [&] { StrassenPlan(engine, {.product = product, .levels = 1}, plainest); });
    };
    GemmProblem p{.m = 6, .n = 6, .k = 6};
    p.type = DataType::f16;
    CHECK(mentions(refused(ErrorCode::unsupported_type, p), "f32 and f64"));
    p.type = DataType::f32;
    p.batch.count = 2;
    CHECK(mentions(refused(ErrorCode::invalid_batch, p), "one product per call"));
    p.batch.count = 1;
    p.epilogue.activation = Activation::relu;
    CHECK(mentions(refused(ErrorCode::unsupported_variant, p), "epilogue"));
    p.epilogue = {};
    p.lda = 5;
    CHECK(mentions(refused(ErrorCode::invalid_leading_dimension, p), "lda is 5"));
    p.lda = 0;
    const cl::CommandQueue queue = make_queue();
    const cl::Buffer a(shared_context(), CL_MEM_READ_WRITE, 144), b(shared_context(), CL_MEM_READ_WRITE, 144),
        c(shared_context(), CL_MEM_READ_WRITE, 144);
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      p.layout = layout;
      const StrassenPlan plan(engine, {.product = p, .levels = 1}, plainest);
      const StrassenOperands right{.a = {a()}, .b = {b()}, .c = {c()}};
      const auto call = [&](ErrorCode code, OperandName operand, const StrassenOperands& operands) {
        return expect_error(code, operand, [&] { plan.enqueue(queue(), operands).wait(); });
      };
      StrassenOperands wrong = right;
      wrong.a = {};
      CHECK(mentions(call(ErrorCode::null_object, OperandName::a, wrong), "the buffer of A is null"));
      wrong = right;
      wrong.b.offset = 16;
      CHECK(mentions(call(ErrorCode::buffer_too_small, OperandName::b, wrong), "B takes 36"));
      wrong = right;
      wrong.c = right.a;
      CHECK(mentions(call(ErrorCode::overlapping_operands, OperandName::c, wrong), "C shares elements with A"));
      wrong = right;
      wrong.workspace = {c(), 0};
      call(ErrorCode::workspace_too_small, OperandName::workspace, wrong);
      CHECK_NOTHROW(plan.enqueue(queue(), right).wait());
    }
    count_cases(12);
  }
}

}  // namespace tilewright::test
