// Special values in vectors: NaN, infinity, squares that overflow or underflow, equal magnitudes, and cancellation.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/element_type.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/vector.hpp"

namespace tilewright::test {
namespace {

// Vectors of one type on the device, and the results of functions on them.
template <class T>
class Vectors {
 public:
  static constexpr DataType type = sizeof(T) == 8 ? DataType::f64 : DataType::f32;

  explicit Vectors(const std::vector<T>& x, const std::vector<T>& y = {})
      : n_(x.size()), x_(buffer(x)), y_(buffer(y)) {}

  T nrm2() {
    return result<T>(
        [&](const VectorProblem& p, MatrixRef r) { return tilewright::nrm2(e_, q_(), p, {.x = {x_()}, .result = r}); });
  }
  T asum() {
    return result<T>(
        [&](const VectorProblem& p, MatrixRef r) { return tilewright::asum(e_, q_(), p, {.x = {x_()}, .result = r}); });
  }
  T dot(Summation summation = Summation::plain) {
    return result<T>([&](VectorProblem p, MatrixRef r) {
      p.summation = summation;
      return tilewright::dot(e_, q_(), p, {.x = {x_()}, .y = {y_()}, .result = r});
    });
  }
  std::int64_t iamax(std::int64_t increment = 1) {
    return result<std::int64_t>([&](VectorProblem p, MatrixRef r) {
      p.incx = increment;
      return tilewright::iamax(e_, q_(), p, {.x = {x_()}, .result = r});
    });
  }
  std::vector<T> scaled(double alpha) {
    scal(e_, q_(), {.type = type, .n = n_}, {.alpha = alpha, .x = {x_()}}).wait();
    return read(x_);
  }
  std::vector<T> added(double alpha, double beta) {
    axpby(e_, q_(), {.type = type, .n = n_}, {.alpha = alpha, .x = {x_()}, .beta = beta, .y = {y_()}}).wait();
    return read(y_);
  }

 private:
  cl::Buffer buffer(const std::vector<T>& values) const {
    std::vector<T> copy = values;
    if (copy.empty()) copy.resize(1);
    return {shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, copy.size() * sizeof(T), copy.data()};
  }

  std::vector<T> read(const cl::Buffer& from) const {
    std::vector<T> values(n_);
    q_.enqueueReadBuffer(from, CL_TRUE, 0, n_ * sizeof(T), values.data());
    return values;
  }

  template <class R, class Call>
  R result(const Call& call) {
    const cl::Buffer to(shared_context(), CL_MEM_READ_WRITE, 2 * sizeof(R));
    MatrixRef place{to()};
    place.offset = 1;  // GCC 12 fails with an internal error if the braces set it
    call(VectorProblem{.type = type, .n = n_}, place).wait();
    count_cases();
    count_kernel_of("vectors");
    R value;
    q_.enqueueReadBuffer(to, CL_TRUE, sizeof(R), sizeof(R), &value);
    return value;
  }

  const Engine& e_ = shared_engine();
  cl::CommandQueue q_ = make_queue();
  std::uint64_t n_;
  cl::Buffer x_, y_;
};

bool has(DataType type) { return detail::why_unsupported(type, shared_engine().profile()).empty(); }

template <class T>
bool is_near(T found, long double expected) {
  return std::abs(static_cast<long double>(found) - expected) <=
         64 * static_cast<long double>(std::numeric_limits<T>::epsilon()) * expected;
}

template <class T>
void check_norms() {
  if (!has(Vectors<T>::type)) return;
  using Limits = std::numeric_limits<T>;
  const std::vector<T> sizes{Limits::denorm_min(),         3 * Limits::denorm_min(),     Limits::min(),
                             std::sqrt(Limits::min()) / 3, std::sqrt(Limits::min()) * 3, T{1},
                             std::sqrt(Limits::max()) / 3, std::sqrt(Limits::max()) * 3, Limits::max() / 64};
  // n equal numbers, for vector loads and for single elements.
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{1000}})
    for (const T size : sizes) {
      CAPTURE(n);
      CAPTURE(size);
      const long double root = std::sqrt(static_cast<long double>(n)) * static_cast<long double>(size);
      const T found = Vectors<T>(std::vector<T>(n, -size)).nrm2();
      const bool denormal = size < Limits::min();
      CHECK((is_near(found, root) ||
             (denormal && std::abs(found - root) <= 2 * static_cast<long double>(Limits::denorm_min()))));
    }
  // Pairs of magnitudes that differ widely, and pairs that do not.
  for (const T size : sizes)
    for (const T other : sizes) {
      std::vector<T> x(99, 0);
      x[3] = size;
      x[90] = -other;
      const long double root = std::hypot(static_cast<long double>(size), static_cast<long double>(other));
      const T found = Vectors<T>(x).nrm2();
      CAPTURE(size);
      CAPTURE(other);
      CHECK((is_near(found, root) || std::abs(found - root) <= 2 * static_cast<long double>(Limits::denorm_min())));
    }
  std::vector<T> x(100, 2);
  x[40] = -Limits::infinity();
  CHECK(std::isinf(Vectors<T>(x).nrm2()));
  x[70] = Limits::quiet_NaN();
  CHECK(std::isnan(Vectors<T>(x).nrm2()));
  CHECK(Vectors<T>(std::vector<T>(50, 0)).nrm2() == 0);
  CHECK(std::isinf(Vectors<T>(std::vector<T>(50, Limits::max())).nrm2()));
}

template <class T>
void check_indices() {
  if (!has(Vectors<T>::type)) return;
  using Limits = std::numeric_limits<T>;
  std::vector<T> x(3000, 1);
  CHECK(Vectors<T>(x).iamax() == 0);
  CHECK(Vectors<T>(x).iamax(-1) == 0);
  x[2000] = x[1777] = -5;
  x[2999] = 5;
  CHECK(Vectors<T>(x).iamax() == 1777);
  CHECK(Vectors<T>(x).iamax(-1) == 0);
  x[1800] = -Limits::infinity();
  CHECK(Vectors<T>(x).iamax() == 1800);
  x[2500] = std::copysign(Limits::quiet_NaN(), T{-1});
  x[2400] = Limits::quiet_NaN();
  CHECK(Vectors<T>(x).iamax() == 2400);
  CHECK(Vectors<T>(x).iamax(-1) == 499);
  CHECK(Vectors<T>(std::vector<T>(100, 0)).iamax() == 0);
  std::vector<T> tiny(100, -T{0});
  tiny[60] = -Limits::denorm_min();
  CHECK(Vectors<T>(tiny).iamax() == 60);
}

template <class T>
void check_sums() {
  if (!has(Vectors<T>::type)) return;
  using Limits = std::numeric_limits<T>;
  // The 1 survives the cancellation only if rounding errors are summed as well.
  const T large = 1 / Limits::epsilon() * 4;
  std::vector<T> x(1000, 0), y(1000, 1);
  x[10] = large;
  x[500] = 1;
  x[990] = -large;
  CHECK(Vectors<T>(x, y).dot(Summation::compensated) == 1);
  std::vector<T> products(1000, 0), others(1000, 0);
  products[0] = others[0] = products[77] = 1 + Limits::epsilon();
  others[77] = -(1 + Limits::epsilon()) + 1;
  CHECK(Vectors<T>(products, others).dot(Summation::compensated) > 0);
  x[20] = Limits::infinity();
  CHECK(Vectors<T>(x, y).dot() == Limits::infinity());
  CHECK(Vectors<T>(x, y).dot(Summation::compensated) == Limits::infinity());
  CHECK(Vectors<T>(x, y).asum() == Limits::infinity());
  y[30] = Limits::quiet_NaN();
  CHECK(std::isnan(Vectors<T>(x, y).dot()));
  CHECK(std::isnan(Vectors<T>(x, y).dot(Summation::compensated)));
  CHECK(std::isnan(Vectors<T>(y).asum()));
}

template <class T>
void check_elements() {
  if (!has(Vectors<T>::type)) return;
  using Limits = std::numeric_limits<T>;
  std::vector<T> x(70, Limits::quiet_NaN()), y(70, -T{0});
  for (const T zero : Vectors<T>(x).scaled(0)) CHECK((zero == 0 && !std::signbit(zero)));
  for (const T zero : Vectors<T>(y).scaled(2)) CHECK((zero == 0 && std::signbit(zero)));
  for (const T kept : Vectors<T>(x, y).added(0, 1)) CHECK((kept == 0 && std::signbit(kept)));
  for (const T number : Vectors<T>(y, x).added(3, 0)) CHECK(number == 0);
  for (const T number : Vectors<T>(x, y).added(1, 1)) CHECK(std::isnan(number));
}

}  // namespace

TEST_SUITE("vectors") {
  TEST_CASE("norms do not overflow or underflow in between") {
    check_norms<float>();
    check_norms<double>();
  }
  TEST_CASE("iamax finds the first of the largest elements, but a NaN before any number") {
    check_indices<float>();
    check_indices<double>();
  }
  TEST_CASE("sums with cancellation, infinity and NaN") {
    check_sums<float>();
    check_sums<double>();
  }
  TEST_CASE("NaN does not propagate from vectors that a scalar of 0 leaves unread") {
    check_elements<float>();
    check_elements<double>();
  }
}

}  // namespace tilewright::test
