// Each product of a batch has its own alpha and beta: every variant computes right results, and operands that a product
// does not need are not read.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

// One product per pair of scalars; consecutive products with equal scalars share a launch.
const std::vector<Scalar> alphas = {1, 0, 0, 0, 2, 2, -0.5, -0.0};
const std::vector<Scalar> betas = {0, 1, 1, 0, 1, 1, 3, -2};
constexpr std::uint64_t m = 17, n = 9, k = 37;

template <typename T>
struct ScaledBatch {
  ScaledBatch() {
    constexpr T poison = std::numeric_limits<T>::quiet_NaN();
    const std::uint64_t count = alphas.size();
    a = verification::random_data<T>(count * m * k, verification::DataKind::integers, 1);
    b = verification::random_data<T>(count * k * n, verification::DataKind::integers, 2);
    c = verification::random_data<T>(count * m * n, verification::DataKind::integers, 3);
    after = c;
    for (std::uint64_t x = 0; x < count; ++x)
      for (std::uint64_t i = 0; i < m; ++i)
        for (std::uint64_t j = 0; j < n; ++j) {
          T sum = 0;
          for (std::uint64_t p = 0; p < k; ++p) sum += a[(x * m + i) * k + p] * b[(x * k + p) * n + j];
          const std::uint64_t at = (x * m + i) * n + j;
          after[at] = static_cast<T>(alphas[x].real()) * sum + static_cast<T>(betas[x].real()) * c[at];
        }
    for (std::uint64_t x = 0; x < count; ++x) {
      if (alphas[x] == Scalar(0)) {
        std::fill_n(a.begin() + static_cast<std::ptrdiff_t>(x * m * k), m * k, poison);
        std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(x * k * n), k * n, poison);
      }
      const auto first = static_cast<std::ptrdiff_t>(x * m * n);
      if (betas[x] == Scalar(0)) std::fill_n(c.begin() + first, m * n, poison);
      if (alphas[x] == Scalar(0) && betas[x] == Scalar(1)) {
        std::fill_n(c.begin() + first, m * n, T{-0.0});  // the sign must be kept
        std::fill_n(after.begin() + first, m * n, T{-0.0});
      }
    }
  }

  static GemmProblem problem() {
    return {.type = sizeof(T) == 4 ? DataType::f32 : DataType::f64, .m = m, .n = n, .k = k};
  }

  std::vector<T> a, b, c, after;
};

template <typename T>
cl::Buffer buffer_of(const cl::CommandQueue& queue, const std::vector<T>& values) {
  cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(T));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  verification::keep_on_oclgrind(shared_engine(), std::make_shared<cl::Buffer>(buffer));
  return buffer;
}

template <typename T>
void check_variant(const Choice& choice, bool by_offsets) {
  static const ScaledBatch<T> batch;
  const cl::CommandQueue queue = make_queue();
  const cl::Buffer a = buffer_of(queue, batch.a), b = buffer_of(queue, batch.b), c = buffer_of(queue, batch.c);
  GemmOperands operands;
  operands.a = {a(), 0};
  operands.b = {b(), 0};
  operands.c = {c(), 0};
  operands.scalars = {alphas, betas};
  GemmProblem batched = ScaledBatch<T>::problem();
  batched.batch = {.count = alphas.size(), .stride_a = m * k, .stride_b = k * n, .stride_c = m * n};
  if (by_offsets) {
    std::vector<std::uint64_t> of_a, of_b, of_c;
    for (std::uint64_t x = 0; x < alphas.size(); ++x) {
      of_a.push_back(x * m * k);
      of_b.push_back(x * k * n);
      of_c.push_back(x * m * n);
    }
    batched.batch = {.count = alphas.size(), .by_offsets = true};
    operands.offsets = {of_a, of_b, of_c};
    gemm(shared_engine(), queue(), batched, operands, {}, choice).wait();
    operands.offsets = {};
  } else {
    gemm(shared_engine(), queue(), batched, operands, {}, choice).wait();
  }
  std::vector<T> found(batch.c.size());
  queue.enqueueReadBuffer(c, CL_TRUE, 0, found.size() * sizeof(T), found.data());
  for (std::uint64_t x = 0; x < alphas.size(); ++x) {
    bool right = true;
    for (std::uint64_t at = x * m * n; at < (x + 1) * m * n; ++at)
      right = right && found[at] == batch.after[at] &&
              (alphas[x] != Scalar(0) || betas[x] != Scalar(1) || std::signbit(found[at]));
    CHECK_MESSAGE(right, "product ", x, " of ", to_string(ScaledBatch<T>::problem().type));
  }
  count_kernel(GemmPlan(shared_engine(), batched, choice));
  count_cases();
}

}  // namespace

TEST_SUITE("special cases") {
  TEST_CASE("each product of a batch has its own alpha and beta") {
    // Below the full level the types and the two kinds of batch alternate.
    const bool full = test_level() == TestLevel::full;
    bool turn = false;
    for (const VariantInfo& variant : third_of_variants(1)) {
      CAPTURE(variant.name);
      const auto is_supported = [&](const GemmProblem& problem) {
        return gemm_support(shared_engine().profile(), variant.name, problem).supported;
      };
      const bool single = is_supported(ScaledBatch<float>::problem()),
                 twice = is_supported(ScaledBatch<double>::problem());
      turn = !turn;
      std::vector<Choice> choices{{variant.name, {}}};
      if (full || variant.name == "local_tile")  // a variant that packs a copy per product
        for (const Configuration& strategy : variant.strategies) choices.push_back({variant.name, strategy});
      for (const Choice& choice : choices) {
        CAPTURE(to_string(choice.configuration));
        if (single && (full || turn || !twice)) check_variant<float>(choice, false);
        if (twice && (full || !turn || !single)) check_variant<double>(choice, true);
        if (single && full) check_variant<float>(choice, true);
        if (twice && full) check_variant<double>(choice, false);
      }
    }
  }

  TEST_CASE("one of the scalars may be common to the batch, and lists need one element per product") {
    const SmallProduct product;
    GemmProblem problem = product.problem;
    problem.batch = {.count = 3, .stride_c = 35};
    const cl::Buffer room(product.context, CL_MEM_READ_WRITE, 3 * 35 * sizeof(float));
    const GemmPlan plan(product.engine, problem, {"naive", {}});
    const std::vector<Scalar> few = {1, 2}, three = {2, 4, 6}, nothing = {0, 0, 0}, same = {2, 2, 2};
    GemmOperands operands{1, product.operands.a, product.operands.b, 0, {room(), 0}};
    const auto is_right = [&](const std::vector<Scalar>& factors) {
      plan.enqueue(product.queue(), operands).wait();
      const std::vector<float> found = product.read(room);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const float once = (product.after()[i % 35] - 3 * product.before()[i % 35]) / 2;
        if (found[i] != static_cast<float>(factors[i / 35].real()) * once) return false;
      }
      return true;
    };
    operands.scalars.alpha = three;
    CHECK(is_right(three));
    operands.scalars.alpha = same;
    operands.scalars.beta = nothing;
    CHECK(is_right(same));
    operands.scalars.alpha = nothing;  // A and B are not read
    operands.a = operands.b = {};
    CHECK(is_right(nothing));
    for (GemmScalars wrong : {GemmScalars{few, {}}, GemmScalars{{}, few}, GemmScalars{three, few}}) {
      operands.scalars = wrong;
      expect_error(ErrorCode::invalid_batch, [&] { plan.enqueue(product.queue(), operands); });
    }
    count_cases();
  }
}

}  // namespace tilewright::test
