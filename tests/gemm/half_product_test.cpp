// Products of matrices in half precision: what is loaded and stored at the limits of the format, and sums that are not
// in half precision. The conformance test does the rest.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/half.hpp"
#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright::test {
namespace {

using detail::Half;
using Halves = std::vector<Half>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Every half, or at the quick level those with few digits: zeros, subnormals, infinities and NaN are among them.
Halves all_halves() {
  Halves all;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    if (test_level() != TestLevel::quick || (bits & 0x1ffU) <= 1 || (bits & 0x1ffU) == 0x1ff)
      all.push_back(Half::from_bits(static_cast<std::uint16_t>(bits)));
  return all;
}

// Scalars that put products of halves on ties, beside them, below and beyond the range.
constexpr double factors[] = {1,      -1,   1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-20, 1 - 0x1p-12, 0x1p-10, -0x1p-20, 0x1p30,
                              70000., -0.1, infinity,    not_a_number};

class HalfProduct {
 public:
  HalfProduct(GemmProblem problem, const Halves& a, const Halves& b, const Halves& c)
      : problem_(problem),
        context_(shared_engine().context(), true),
        queue_(context_, cl::Device(shared_engine().device(), true)),
        a_(buffer_of(a)),
        b_(buffer_of(b)),
        c_(buffer_of(c)),
        size_(c.size()) {
    problem_.type = DataType::f16;
  }

  Halves run(const Choice& choice, double alpha, double beta) {
    const GemmPlan plan(shared_engine(), problem_, choice);
    plan.enqueue(queue_(), {alpha, {a_()}, {b_()}, beta, {c_()}}).wait();
    return result(plan);
  }
  Halves run_packed(const Choice& choice, GemmInput input) {
    const GemmPlan plan(shared_engine(), problem_, choice);
    const PackedMatrix packed(plan, input, queue_(), {input == GemmInput::a ? a_() : b_()});
    GemmOperands operands{1, {a_()}, {b_()}, 0, {c_()}};
    (input == GemmInput::a ? operands.packed_a : operands.packed_b) = &packed;
    (input == GemmInput::a ? operands.a : operands.b) = {};
    plan.enqueue(queue_(), operands).wait();
    return result(plan);
  }

 private:
  cl::Buffer buffer_of(const Halves& values) {
    cl::Buffer buffer(context_, CL_MEM_READ_WRITE, values.size() * sizeof(Half));
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(Half), values.data());
    return buffer;
  }
  Halves result(const GemmPlan& plan) {
    count_kernel(plan);
    Halves values(size_);
    queue_.enqueueReadBuffer(c_, CL_TRUE, 0, size_ * sizeof(Half), values.data());
    count_cases(1);
    return values;
  }

  GemmProblem problem_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Buffer a_, b_, c_;
  std::size_t size_;
};

std::vector<Choice> every_choice() {
  std::vector<Choice> choices;
  for (const VariantInfo& variant : variants_under_test()) {
    const GemmProblem problem{.type = DataType::f16, .m = 64, .n = 64, .k = 64};
    if (gemm_support(shared_engine().profile(), variant.name, problem).supported) choices.push_back({variant.name, {}});
  }
  return choices;
}

// Elements as often as there are columns, row by row or column by column.
Halves repeated(const Halves& values, std::size_t columns, bool by_columns) {
  Halves all(values.size() * columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) all[by_columns ? j * values.size() + i : i * columns + j] = values[i];
  return all;
}

bool same(Half found, double expected) {
  const Half wanted(expected);
  if (std::isnan(static_cast<float>(wanted))) return std::isnan(static_cast<float>(found));
  return found.bits() == wanted.bits();
}

}  // namespace

TEST_SUITE("half precision") {
  TEST_CASE("every half is loaded as it is, and alpha times it stored as the nearest half") {
    const Halves values = all_halves();
    constexpr std::size_t columns = 16;  // of ones: C is A, in vectors
    const Halves ones(columns, Half(1));
    for (const Choice& choice : every_choice())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans_a : {Transpose::no, Transpose::yes}) {
          CAPTURE(choice.variant);
          HalfProduct product({.layout = layout, .trans_a = trans_a, .m = values.size(), .n = columns, .k = 1}, values,
                              ones, Halves(values.size() * columns));
          for (const double alpha : factors) {
            CAPTURE(alpha);
            const Halves found = product.run(choice, alpha, 0);
            const Halves source = repeated(values, columns, layout == Layout::column_major);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < found.size(); ++i)
              // The kernel's sum begins with 0, so that -0 becomes 0 before it is multiplied.
              wrong += same(found[i], static_cast<float>(alpha) * (static_cast<float>(source[i]) + 0.0F)) ? 0 : 1;
            CHECK(wrong == 0);
            if (test_level() == TestLevel::quick && alpha != 1) break;
          }
        }
  }

  TEST_CASE("beta times every half is stored as the nearest half") {
    const Halves values = all_halves();
    for (const Choice& choice : every_choice())
      for (const double beta : factors) {
        CAPTURE(choice.variant);
        CAPTURE(beta);
        const Halves zeros(values.size());
        HalfProduct product({.m = values.size(), .n = 1, .k = 1}, zeros, Halves(1, Half(1)), values);
        const Halves found = product.run(choice, 1, beta);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < found.size(); ++i)
          wrong += same(found[i], static_cast<float>(beta) * static_cast<float>(values[i]) + 0.0F) ? 0 : 1;
        CHECK(wrong == 0);
      }
  }

  TEST_CASE("sums may leave the range of halves on their way, results that do are infinite") {
    const Halves a{Half(300), Half(300), Half(-300), Half(-200), Half(300), Half(300), Half(0), Half(0)};
    const Halves b(4, Half(300));
    for (const Choice& choice : every_choice()) {
      CAPTURE(choice.variant);
      HalfProduct product({.m = 2, .n = 1, .k = 4}, a, b, Halves(2));
      for (const double sign : {1.0, -1.0}) {
        const Halves found = product.run(choice, sign, 0);
        CHECK(found[0] == 30000 * sign);
        CHECK(found[1] == infinity * sign);
      }
    }
  }

  TEST_CASE("halves that add up to less than a half's last place are not lost") {
    // 2048 + 4096 x 1/2: in half precision each addition would leave 2048.
    Halves a(4097, Half(0.5));
    a[0] = Half(2048);
    const Halves b(4097, Half(1));
    for (const Choice& choice : every_choice()) {
      CAPTURE(choice.variant);
      HalfProduct product({.m = 1, .n = 1, .k = 4097}, a, b, Halves(1));
      CHECK(product.run(choice, 1, 0)[0] == 4096);
    }
  }

  TEST_CASE("a packed matrix of halves gives the same bits") {
    Halves a(37 * 150), b(150 * 53);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = Half(std::sin(static_cast<double>(i)));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = Half(std::cos(static_cast<double>(i)));
    for (const Choice& choice : every_choice())
      for (const Transpose transpose : {Transpose::no, Transpose::yes}) {
        CAPTURE(choice.variant);
        HalfProduct product({.trans_a = transpose, .trans_b = transpose, .m = 37, .n = 53, .k = 150}, a, b,
                            Halves(37 * 53));
        const Halves expected = product.run(choice, 1, 0);
        for (const GemmInput input : {GemmInput::a, GemmInput::b}) {
          const Halves found = product.run_packed(choice, input);
          for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(found[i].bits() == expected[i].bits());
        }
      }
  }

  TEST_CASE("the default for halves is chosen by itself") {
    const Explanation explanation =
        explain_gemm(shared_engine().profile(), {.type = DataType::f16, .m = 200, .n = 300, .k = 400});
    CHECK(explanation.variant ==
          (shared_engine().profile().type == DeviceType::cpu ? "packed_panel" : "register_blocked"));
  }
}

}  // namespace tilewright::test
