#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/system/plain_text.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/syr.hpp"
#include "tilewright/trmv.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/level2/level2_reference.hpp"

namespace tilewright::verification {
namespace {

template <class T>
WideComplex wide(const T& value) {
  if constexpr (detail::is_complex_host_type<T>)
    return {value.real(), value.imag()};
  else
    return static_cast<long double>(value);
}

StoredShape vector_shape(std::uint64_t n, std::int64_t increment) {
  return {n, 1, static_cast<std::uint64_t>(std::abs(increment))};
}

template <class T>
class Level2Trial {
 public:
  Level2Trial(const Engine& engine, const Level2Case& test)
      : engine_(engine),
        test_(test),
        queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)),
        a_(engine, {test.n, test.n, test.n + test.gap}, test.offset, test.memory, count_of(!is_product()),
           stride_of(test.n * (test.n + test.gap), !is_product())),
        x_(engine, vector_shape(test.n, test.incx), test.offset, test.memory, count_of(is_trmv()),
           stride_of(vector_shape(test.n, test.incx).span(), is_trmv())),
        y_(engine, vector_shape(test.n, test.incy), test.offset, test.memory, count_of(is_product()),
           stride_of(vector_shape(test.n, test.incy).span(), is_product())) {
    fill_triangle();
    fill_vector(x_, test.incx, 2);
    fill_vector(y_, test.incy, 3);
    const bool skips = !is_trmv() && test.alpha == 0.0;
    if (skips) x_.poison();
    if (skips) (is_product() ? a_ : y_).poison();
    if (is_product() && test.beta == 0.0) y_.poison();
  }

  std::string verify() {
    for (const auto* operand : {&a_, &x_, &y_}) operand->upload(queue_);
    call().wait();
    for (auto* operand : {&a_, &x_, &y_}) operand->download(queue_);
    for (std::uint64_t problem = 0; problem < test_.count; ++problem)
      if (std::string wrong = is_product() ? wrong_vector(problem) : wrong_triangle(problem); !wrong.empty())
        return "problem " + std::to_string(problem) + ": " + wrong;
    if (std::string wrong = is_product() ? a_.damage(false) : damage_of_triangle(); !wrong.empty())
      return "A: " + wrong;
    if (std::string wrong = x_.damage(is_trmv()); !wrong.empty()) return "x: " + wrong;
    if (std::string wrong = y_.damage(is_product() && has_two_vectors(test_.call)); !wrong.empty())
      return "y: " + wrong;
    return {};
  }

 private:
  bool is_trmv() const { return test_.call == Level2Call::trmv; }
  bool is_product() const { return !writes_triangle(test_.call); }
  std::uint64_t count_of(bool is_written) const { return test_.shares_inputs && !is_written ? 1 : test_.count; }
  std::uint64_t stride_of(std::uint64_t span, bool is_written) const {
    return count_of(is_written) == 1 ? 0 : span + 1;
  }

  std::uint64_t in_a(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t ld = a_.shape().leading;
    return test_.layout == Layout::row_major ? i * ld + j : j * ld + i;
  }
  std::uint64_t place(std::uint64_t i, std::int64_t increment) const {
    return (increment > 0 ? i : test_.n - 1 - i) * static_cast<std::uint64_t>(std::abs(increment));
  }
  void fill_triangle() {
    a_.poison();
    const std::uint64_t n = test_.n;
    for (std::uint64_t problem = 0; problem < a_.count(); ++problem) {
      const auto values = random_data<T>(n * n, DataKind::uniform, 3 * test_.seed + 1000 * problem);
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < n; ++j)
          if (is_in_triangle(test_, i, j)) {
            T value = values[i * n + j];
            if constexpr (detail::is_complex_host_type<T>)
              if (i == j && is_hermitian(test_.call)) value.imag(std::numeric_limits<detail::Part<T>>::quiet_NaN());
            a_.data(problem)[in_a(i, j)] = value;
          }
    }
  }

  void fill_vector(GuardedMatrix<T>& vector, std::int64_t increment, std::uint64_t which) {
    for (std::uint64_t problem = 0; problem < vector.count(); ++problem) {
      const auto values = random_data<T>(test_.n, DataKind::uniform, 5 * test_.seed + 1000 * problem + which);
      for (std::uint64_t i = 0; i < test_.n; ++i) vector.data(problem)[place(i, increment)] = values[i];
    }
  }

  Event call() const {
    const bool is_batch = test_.count > 1;
    const std::uint64_t span_a = test_.n * (test_.n + test_.gap);
    Batch batch{.count = test_.count};
    if (is_batch) {
      batch.stride_a = stride_of(span_a, !is_product());
      batch.stride_x = stride_of(x_.shape().span(), is_trmv());
      if (has_two_vectors(test_.call)) batch.stride_y = stride_of(y_.shape().span(), is_product());
    }
    const std::uint64_t lda = a_.shape().leading;
    const Symmetry symmetry = is_hermitian(test_.call) ? Symmetry::hermitian : Symmetry::symmetric;
    if (is_trmv())
      return trmv(engine_, queue_(),
                  {.type = test_.type,
                   .layout = test_.layout,
                   .uplo = test_.uplo,
                   .trans = test_.trans,
                   .diag = test_.diag,
                   .n = test_.n,
                   .lda = lda,
                   .incx = test_.incx,
                   .batch = batch},
                  {.a = a_.ref(), .x = x_.ref()}, {}, test_.choice);
    if (is_product())
      return symv(engine_, queue_(),
                  {.type = test_.type,
                   .layout = test_.layout,
                   .uplo = test_.uplo,
                   .symmetry = symmetry,
                   .n = test_.n,
                   .lda = lda,
                   .incx = test_.incx,
                   .incy = test_.incy,
                   .batch = batch},
                  {test_.alpha, a_.ref(), x_.ref(), test_.beta, y_.ref()}, {}, test_.choice);
    if (has_two_vectors(test_.call))
      return syr2(engine_, queue_(),
                  {.type = test_.type,
                   .layout = test_.layout,
                   .uplo = test_.uplo,
                   .symmetry = symmetry,
                   .n = test_.n,
                   .incx = test_.incx,
                   .incy = test_.incy,
                   .lda = lda,
                   .batch = batch},
                  {.alpha = test_.alpha, .x = x_.ref(), .y = y_.ref(), .a = a_.ref()}, {}, test_.choice);
    return syr(engine_, queue_(),
               {.type = test_.type,
                .layout = test_.layout,
                .uplo = test_.uplo,
                .symmetry = symmetry,
                .n = test_.n,
                .incx = test_.incx,
                .lda = lda,
                .batch = batch},
               {.alpha = test_.alpha, .x = x_.ref(), .a = a_.ref()}, {}, test_.choice);
  }

  Level2Reference reference(std::uint64_t problem) const {
    return {.test = test_,
            .a = [=, this](std::uint64_t i, std::uint64_t j) { return wide(a_.data(problem)[in_a(i, j)]); },
            .x = [=, this](std::uint64_t i) { return wide(x_.data(problem)[place(i, test_.incx)]); },
            .y = [=, this](std::uint64_t i) { return wide(y_.data(problem)[place(i, test_.incy)]); }};
  }
  static constexpr long double smallest = std::numeric_limits<detail::Part<T>>::min();

  std::string wrong_vector(std::uint64_t problem) const {
    const Level2Reference expected = reference(problem);
    const T* const found = is_trmv() ? x_.result(problem) : y_.result(problem);
    for (std::uint64_t i = 0; i < test_.n; ++i) {
      const T& element = found[place(i, is_trmv() ? test_.incx : test_.incy)];
      if (std::string wrong = wrong_element(wide(element), expected.element_of_vector(i), smallest); !wrong.empty())
        return (is_trmv() ? "x(" : "y(") + std::to_string(i) + ")" + wrong;
    }
    return {};
  }

  std::string wrong_triangle(std::uint64_t problem) const {
    if (test_.alpha == 0.0) return {};  // damage_of_triangle() compares all bytes
    const Level2Reference expected = reference(problem);
    for (std::uint64_t i = 0; i < test_.n; ++i)
      for (std::uint64_t j = 0; j < test_.n; ++j) {
        if (!is_in_triangle(test_, i, j)) continue;
        const WideComplex found = wide(a_.result(problem)[in_a(i, j)]);
        const std::string name = "A(" + std::to_string(i) + ", " + std::to_string(j) + ")";
        if (i == j && is_hermitian(test_.call) && found.imag() != 0) return name + " has an imaginary part";
        if (std::string wrong = wrong_element(found, expected.element_of_triangle(i, j), smallest); !wrong.empty())
          return name + wrong;
      }
    return {};
  }

  std::string damage_of_triangle() const {
    if (test_.alpha == 0.0) return a_.damage(false);
    return a_.damage_outside([&](std::uint64_t line, std::uint64_t i) {
      return test_.layout == Layout::row_major ? is_in_triangle(test_, line, i) : is_in_triangle(test_, i, line);
    });
  }

  const Engine& engine_;
  const Level2Case& test_;
  cl::CommandQueue queue_;
  GuardedMatrix<T> a_, x_, y_;
};

}  // namespace

std::string try_level2_case(const Engine& engine, const Level2Case& test) {
  return detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) -> std::string {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || detail::is_complex_host_type<T>)
      return Level2Trial<T>(engine, test).verify();
    else
      throw std::invalid_argument("operations of level 2 have f32, f64, c64 and c128");
  });
}

}  // namespace tilewright::verification
