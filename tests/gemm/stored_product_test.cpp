// Products whose elements are stored in fewer bits than their sums: loads and stores at the limits of the format, and
// sums beyond its precision or range. The conformance test covers the rest.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/host_type.hpp"
#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright::test {
namespace {

using detail::Bfloat16;
using detail::Half;

template <class T>
constexpr double roundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Every number of the type, including zeros, subnormals, infinities and NaN. The quick level takes only a few
// fractions.
template <class T>
std::vector<T> all_numbers() {
  constexpr unsigned fraction = (1U << (std::numeric_limits<T>::digits - 2)) - 1;  // all fraction bits except the first
  std::vector<T> all;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    if (test_level() != TestLevel::quick || (bits & fraction) <= 1 || (bits & fraction) == fraction)
      all.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
  return all;
}

// Scalars whose products with these numbers lie on ties, next to ties, and below and above the range.
template <class T>
std::vector<double> factors() {
  constexpr double u = roundoff<T>;
  return {1, -1, 1 + u, 1 + u + u / 512, 1 - u / 2, 0x1p-10, -0x1p-20, 0x1p30, 70000, -0.1, infinity, not_a_number};
}

template <class T>
class StoredProduct {
 public:
  StoredProduct(GemmProblem problem, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c)
      : problem_(problem),
        context_(shared_engine().context(), true),
        queue_(context_, cl::Device(shared_engine().device(), true)),
        a_(buffer_of(a)),
        b_(buffer_of(b)),
        c_(buffer_of(c)),
        size_(c.size()) {
    problem_.type = detail::HostType<T>::type;
  }

  std::vector<T> run(const Choice& choice, double alpha, double beta) {
    const GemmPlan plan(shared_engine(), problem_, choice);
    plan.enqueue(queue_(), {alpha, {a_()}, {b_()}, beta, {c_()}}).wait();
    return result(plan);
  }
  std::vector<T> run_packed(const Choice& choice, GemmInput input) {
    const GemmPlan plan(shared_engine(), problem_, choice);
    const PackedMatrix packed(plan, input, queue_(), {input == GemmInput::a ? a_() : b_()});
    GemmOperands operands{1, {a_()}, {b_()}, 0, {c_()}};
    (input == GemmInput::a ? operands.packed_a : operands.packed_b) = &packed;
    (input == GemmInput::a ? operands.a : operands.b) = {};
    plan.enqueue(queue_(), operands).wait();
    return result(plan);
  }

 private:
  cl::Buffer buffer_of(const std::vector<T>& values) {
    cl::Buffer buffer(context_, CL_MEM_READ_WRITE, values.size() * sizeof(T));
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    return buffer;
  }
  std::vector<T> result(const GemmPlan& plan) {
    count_kernel(plan);
    std::vector<T> values(size_);
    queue_.enqueueReadBuffer(c_, CL_TRUE, 0, size_ * sizeof(T), values.data());
    count_cases(1);
    return values;
  }

  GemmProblem problem_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Buffer a_, b_, c_;
  std::size_t size_;
};

// The variants that multiply elements of type T in `problem`.
template <class T>
std::vector<Choice> every_choice(GemmProblem problem) {
  problem.type = detail::HostType<T>::type;
  std::vector<Choice> choices;
  for (const VariantInfo& variant : third_of_variants(0)) {
    if (gemm_support(shared_engine().profile(), variant.name, problem).supported) choices.push_back({variant.name, {}});
  }
  return choices;
}

// Repeats each element once per column, in row or column order.
template <class T>
std::vector<T> repeated(const std::vector<T>& values, std::size_t columns, bool by_columns) {
  std::vector<T> all(values.size() * columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) all[by_columns ? j * values.size() + i : i * columns + j] = values[i];
  return all;
}

bool computes_with_subnormals() {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(shared_engine().device(), CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  return (config & CL_FP_DENORM) != 0;
}

// Whether a stored number is the correctly rounded float. A device without subnormal floats flushes them to 0. A zero
// result's sign depends on whether multiply-adds are fused.
template <class T>
bool same(T found, float computed) {
  static const bool subnormals = computes_with_subnormals();
  const T wanted(computed);
  if (std::isnan(computed)) return std::isnan(static_cast<float>(found));
  if (!subnormals && std::abs(computed) < 2 * std::numeric_limits<float>::min() && found == 0) return true;
  return found.bits() == wanted.bits() || (found == 0 && wanted == 0);
}

// The number of elements that differ from `computed` of their source.
template <class T, class Computed>
std::size_t wrong_elements(const std::vector<T>& found, const std::vector<T>& from, const Computed& computed) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    wrong += same(found[i], computed(static_cast<float>(from[i]))) ? 0U : 1U;
  return wrong;
}

}  // namespace

TEST_SUITE("stored products") {
  TEST_CASE_TEMPLATE("every number is loaded exactly, and alpha times it is rounded to nearest", T, Half, Bfloat16) {
    const std::vector<T> values = all_numbers<T>();
    constexpr std::size_t columns = 16;  // a column of ones makes C equal A, in vectors
    const std::vector<T> ones(columns, T(1));
    int turn = 0, form = 0;  // all factors meet a form of each variant, and every form meets some factors
    for (const Choice& choice : every_choice<T>({.m = values.size(), .n = columns, .k = 1}))
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans_a : {Transpose::no, Transpose::yes}) {
          CAPTURE(choice.variant);
          if (test_level() == TestLevel::quick && form++ % 5 != 0) continue;  // another one of the four per variant
          StoredProduct<T> product({.layout = layout, .trans_a = trans_a, .m = values.size(), .n = columns, .k = 1},
                                   values, ones, std::vector<T>(values.size() * columns));
          const std::vector<T> source = repeated(values, columns, layout == Layout::column_major);
          const bool few = test_level() == TestLevel::quick || (test_level() == TestLevel::normal && turn++ % 5 != 0);
          for (const double alpha : factors<T>()) {
            CAPTURE(alpha);
            // The kernel's sum starts at 0, so -0 becomes 0 before the multiplication.
            const auto computed = [&](float value) { return static_cast<float>(alpha) * (value + 0.0F); };
            CHECK(wrong_elements(product.run(choice, alpha, 0), source, computed) == 0);
            if (few && alpha != 1) break;
          }
        }
  }

  TEST_CASE_TEMPLATE("beta times every number is rounded to nearest", T, Half, Bfloat16) {
    const std::vector<T> values = all_numbers<T>();
    for (const Choice& choice : every_choice<T>({.m = values.size(), .n = 1, .k = 1}))
      for (const double beta : factors<T>()) {
        CAPTURE(choice.variant);
        CAPTURE(beta);
        const std::vector<T> zeros(values.size());
        StoredProduct<T> product({.m = values.size(), .n = 1, .k = 1}, zeros, std::vector<T>(1, T(1)), values);
        const auto computed = [&](float value) { return static_cast<float>(beta) * value + 0.0F; };
        CHECK(wrong_elements(product.run(choice, 1, beta), values, computed) == 0);
      }
  }

  TEST_CASE("intermediate sums may exceed the range of halves, and results beyond it are infinite") {
    const std::vector<Half> a{Half(300), Half(300), Half(-300), Half(-200), Half(300), Half(300), Half(0), Half(0)};
    const std::vector<Half> b(4, Half(300));
    for (const Choice& choice : every_choice<Half>({.m = 2, .n = 1, .k = 4})) {
      CAPTURE(choice.variant);
      StoredProduct<Half> product({.m = 2, .n = 1, .k = 4}, a, b, std::vector<Half>(2));
      for (const double sign : {1.0, -1.0}) {
        const std::vector<Half> found = product.run(choice, sign, 0);
        CHECK(found[0] == 30000 * sign);
        CHECK(found[1] == infinity * sign);
      }
    }
  }

  TEST_CASE_TEMPLATE("terms below half a unit in the last place are not lost", T, Half, Bfloat16) {
    // With halves 2048 + 4096 x 1/2: in half precision each addition would leave 2048.
    constexpr double first = 1 / roundoff<T>;
    constexpr auto halves = static_cast<std::size_t>(2 * first);
    std::vector<T> a(halves + 1, T(0.5));
    a[0] = T(first);
    const std::vector<T> b(a.size(), T(1));
    for (const Choice& choice : every_choice<T>({.m = 1, .n = 1, .k = a.size()})) {
      CAPTURE(choice.variant);
      StoredProduct<T> product({.m = 1, .n = 1, .k = a.size()}, a, b, std::vector<T>(1));
      CHECK(product.run(choice, 1, 0)[0] == 2 * first);
    }
  }

  TEST_CASE_TEMPLATE("a packed matrix gives bit-identical results", T, Half, Bfloat16) {
    std::vector<T> a(37 * 150), b(150 * 53);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(std::sin(static_cast<double>(i)));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(std::cos(static_cast<double>(i)));
    for (const Choice& choice : every_choice<T>({.m = 37, .n = 53, .k = 150}))
      for (const Transpose transpose : {Transpose::no, Transpose::yes}) {
        CAPTURE(choice.variant);
        StoredProduct<T> product({.trans_a = transpose, .trans_b = transpose, .m = 37, .n = 53, .k = 150}, a, b,
                                 std::vector<T>(37 * 53));
        const std::vector<T> expected = product.run(choice, 1, 0);
        for (const GemmInput input : {GemmInput::a, GemmInput::b}) {
          const std::vector<T> found = product.run_packed(choice, input);
          for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(found[i].bits() == expected[i].bits());
        }
      }
  }

  TEST_CASE("the default variant suits the device type") {
    const DeviceProfile& profile = shared_engine().profile();
    for (const DataType type : {DataType::f16, DataType::bf16}) {
      const GemmProblem problem{.type = type, .m = 200, .n = 300, .k = 400};
      const std::string chosen = explain_gemm(profile, problem).variant;
      CAPTURE(chosen);
      const bool uses_tensor_cores = chosen == "tensor_core" || chosen == "tensor_warpgroup";
      if (profile.architecture == "sm_90" && gemm_support(profile, "tensor_core", problem).supported)
        CHECK(uses_tensor_cores);
      else if (!uses_tensor_cores)
        CHECK(chosen == (profile.type == DeviceType::cpu ? "packed_panel" : "register_blocked"));
    }
  }
}

}  // namespace tilewright::test
