#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>

#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/gemv/gemv_case.hpp"

namespace tilewright::verification {
namespace {

using Complex = std::complex<double>;

template <class T>
Complex wide(const T& value) {
  if constexpr (detail::is_complex_host_type<T>)
    return {value.real(), value.imag()};
  else
    return static_cast<double>(value);
}

template <class T>
void fill(GuardedMatrix<T>& matrix, std::uint64_t seed) {
  const StoredShape& shape = matrix.shape();
  const auto values = random_data<T>(matrix.count() * shape.lines * shape.length, DataKind::uniform, seed);
  for (std::uint64_t x = 0, at = 0; x < matrix.count(); ++x)
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      for (std::uint64_t i = 0; i < shape.length; ++i) matrix.data(x)[line * shape.leading + i] = values[at++];
}

StoredShape matrix_shape(const GemvCase& test) {
  const bool by_rows = test.layout == Layout::row_major;
  const std::uint64_t lines = by_rows ? test.m : test.n, length = by_rows ? test.n : test.m;
  return {lines, length, length + 2};
}

// A vector is stored as a matrix with one element per line.
StoredShape vector_shape(std::uint64_t length, std::int64_t increment) {
  return {length, 1, static_cast<std::uint64_t>(std::abs(increment))};
}

// Returns the index of a vector's element i in memory.
std::uint64_t place(std::uint64_t i, std::uint64_t length, std::int64_t increment) {
  return (increment > 0 ? i : length - 1 - i) * static_cast<std::uint64_t>(std::abs(increment));
}

// An expected sum, and the sum of its terms' magnitudes.
struct ExpectedSum {
  Complex value = 0;
  double size = 0;

  void add(Complex term) {
    value += term;
    size += std::abs(term);
  }
};

template <class T>
bool is_near(const T& found, const ExpectedSum& expected, std::uint64_t terms) {
  const DataType type = detail::HostType<T>::type;
  const double sums = detail::element_type(accumulator_of(type)).roundoff;
  const double bound =
      (4 * static_cast<double>(terms + 4) * sums + 2 * detail::element_type(type).roundoff) * expected.size;
  return std::abs(wide(found) - expected.value) <= bound + 1e-7 * (sizeof(T) == 2);
}

// The operands x, y and A of one call, which writes y or A.
template <class T>
class Trial {
 public:
  Trial(const Engine& engine, const GemvCase& test)
      : engine_(engine),
        test_(test),
        queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)),
        y_strides_(is_gemv() ? vector_shape(y_length(), test.incy).span() + 2 : 0),
        x_strides_(is_gemv() ? 0 : vector_shape(x_length(), test.incx).span() + 3),
        a_(engine, matrix_shape(test), test.offset, is_gemv() ? Memory::exact : Memory::banded, test.count, a_stride()),
        x_(engine, vector_shape(x_length(), test.incx), is_gemv() ? 0 : test.offset, Memory::sub_buffer,
           is_gemv() ? 1 : test.count, x_strides_),
        y_(engine, vector_shape(y_length(), test.incy), is_gemv() ? test.offset : 1,
           is_gemv() ? Memory::banded : Memory::exact, is_gemv() ? test.count : 1, y_strides_) {
    fill(a_, 3 * test.seed);
    fill(x_, 3 * test.seed + 1);
    fill(y_, 3 * test.seed + 2);
    if (is_gemv() && test.beta == 0.0) y_.poison();
    if (test.alpha != 0.0) return;
    x_.poison();
    (is_gemv() ? a_ : y_).poison();
  }

  std::string verify() {
    for (const auto* matrix : {&a_, &x_, &y_}) matrix->upload(queue_);
    call().wait();
    for (auto* matrix : {&a_, &x_, &y_}) matrix->download(queue_);
    for (std::uint64_t product = 0; product < test_.count; ++product)
      if (std::string wrong = is_gemv() ? wrong_vector(product) : wrong_matrix(product); !wrong.empty())
        return "product " + std::to_string(product) + ": " + wrong;
    if (std::string wrong = a_.damage(!is_gemv()); !wrong.empty()) return "A: " + wrong;
    if (std::string wrong = x_.damage(false); !wrong.empty()) return "x: " + wrong;
    if (std::string wrong = y_.damage(is_gemv()); !wrong.empty()) return "y: " + wrong;
    return {};
  }

 private:
  bool is_gemv() const { return test_.call == GemvCall::gemv; }
  bool is_stored() const { return test_.trans == Transpose::no; }
  std::uint64_t x_length() const { return is_gemv() && is_stored() ? test_.n : test_.m; }
  std::uint64_t y_length() const { return is_gemv() && is_stored() ? test_.m : test_.n; }
  std::uint64_t a_stride() const { return matrix_shape(test_).span() + 1; }
  std::uint64_t in_a(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t ld = matrix_shape(test_).leading;
    return test_.layout == Layout::row_major ? i * ld + j : j * ld + i;
  }

  Event call() const {
    const bool batched = test_.count > 1;
    const Batch batch =
        batched ? Batch{.count = test_.count, .stride_a = a_stride(), .stride_x = x_strides_, .stride_y = y_strides_}
                : Batch{};
    if (is_gemv())
      return gemv(engine_, queue_(),
                  {.type = test_.type,
                   .layout = test_.layout,
                   .trans = test_.trans,
                   .m = test_.m,
                   .n = test_.n,
                   .lda = matrix_shape(test_).leading,
                   .incx = test_.incx,
                   .incy = test_.incy,
                   .batch = batch},
                  {test_.alpha, a_.ref(), x_.ref(), test_.beta, y_.ref()}, {}, test_.choice);
    return ger(engine_, queue_(),
               {.type = test_.type,
                .layout = test_.layout,
                .conj_y = test_.trans == Transpose::conjugate_transpose,
                .m = test_.m,
                .n = test_.n,
                .incx = test_.incx,
                .incy = test_.incy,
                .lda = matrix_shape(test_).leading,
                .batch = batch},
               {test_.alpha, x_.ref(), y_.ref(), a_.ref()}, {}, test_.choice);
  }

  static std::string describe_difference(const T& found, const ExpectedSum& expected) {
    const auto part = [](auto x) { return detail::general_text(static_cast<double>(x), 17); };
    const auto text = [&](Complex x) { return part(x.real()) + "," + part(x.imag()); };
    return " is " + text(wide(found)) + ", expected " + text(expected.value);
  }

  std::string wrong_vector(std::uint64_t product) const {
    for (std::uint64_t i = 0; i < y_length(); ++i) {
      ExpectedSum sum;
      for (std::uint64_t j = 0; j < x_length() && test_.alpha != 0.0; ++j) {
        Complex left = wide(a_.data(product)[is_stored() ? in_a(i, j) : in_a(j, i)]);
        if (test_.trans == Transpose::conjugate_transpose) left = std::conj(left);
        sum.add(test_.alpha * left * wide(x_.data()[place(j, x_length(), test_.incx)]));
      }
      const std::uint64_t at = place(i, y_length(), test_.incy);
      if (test_.beta != 0.0) sum.add(test_.beta * wide(y_.data(product)[at]));
      const T& found = y_.result(product)[at];
      if (!is_near(found, sum, x_length())) return "y(" + std::to_string(i) + ")" + describe_difference(found, sum);
    }
    return {};
  }

  std::string wrong_matrix(std::uint64_t product) const {
    for (std::uint64_t i = 0; i < test_.m; ++i)
      for (std::uint64_t j = 0; j < test_.n; ++j) {
        ExpectedSum sum;
        sum.add(wide(a_.data(product)[in_a(i, j)]));
        if (test_.alpha != 0.0) {
          const Complex y = wide(y_.data()[place(j, test_.n, test_.incy)]);
          sum.add(test_.alpha * wide(x_.data(product)[place(i, test_.m, test_.incx)]) *
                  (test_.trans == Transpose::conjugate_transpose ? std::conj(y) : y));
        }
        const T& found = a_.result(product)[in_a(i, j)];
        if (!is_near(found, sum, 1))
          return "A(" + std::to_string(i) + ", " + std::to_string(j) + ")" + describe_difference(found, sum);
      }
    return {};
  }

  const Engine& engine_;
  const GemvCase& test_;
  cl::CommandQueue queue_;
  std::uint64_t y_strides_, x_strides_;
  GuardedMatrix<T> a_, x_, y_;
};

}  // namespace

std::string try_gemv_case(const Engine& engine, const GemvCase& test) {
  return detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) -> std::string {
    if constexpr (std::is_integral_v<T>)
      throw std::invalid_argument("gemv and ger have no integer types");
    else
      return Trial<T>(engine, test).verify();
  });
}

}  // namespace tilewright::verification
