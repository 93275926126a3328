#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "verification/common/element_sum.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/trmm/trmm_case.hpp"

namespace tilewright::verification {
namespace {

template <class T>
class TrmmTrial {
 public:
  TrmmTrial(const Engine& engine, const TrmmCase& test)
      : engine_(engine),
        test_(test),
        a_(engine, shape_a(test), test.offsets[0], test.memory, test.shares_a ? 1 : test.count, stride(shape_a(test))),
        b_(engine, shape_b(test), test.offsets[1], test.memory, test.count, stride(shape_b(test))),
        small_(SmallNumbers<detail::Part<T>>(engine.device()).error()) {
    a_.poison();
    b_.poison();
    if (!reads()) return;
    RandomStream random(test.seed);
    for (std::uint64_t x = 0; x < a_.count(); ++x) fill_a(random, x);
    for (std::uint64_t x = 0; x < b_.count(); ++x) fill_b(random, x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    call.add("A", a_, false);
    call.add("B", b_, true);
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_products(); });
  }

 private:
  using Complex = WideComplex<T>;

  static std::uint64_t order_of(const TrmmCase& test) { return test.side == Side::left ? test.m : test.n; }
  static StoredShape shape_a(const TrmmCase& test) {
    return stored_shape(test.layout, order_of(test), order_of(test), test.gaps[0]);
  }
  static StoredShape shape_b(const TrmmCase& test) { return stored_shape(test.layout, test.m, test.n, test.gaps[1]); }
  static std::uint64_t stride(const StoredShape& shape) { return shape.span() + 3; }

  bool reads() const { return test_.alpha != 0.0; }
  std::uint64_t order() const { return order_of(test_); }
  std::uint64_t lines() const { return test_.side == Side::left ? test_.n : test_.m; }

  // Place of element i of a line of B.
  std::uint64_t place_b(std::uint64_t i, std::uint64_t line) const {
    return test_.side == Side::left ? index_in(b_.shape(), test_.layout, i, line)
                                    : index_in(b_.shape(), test_.layout, line, i);
  }

  T drawn(RandomStream& random) const {
    const auto part = [&] {
      return static_cast<detail::Part<T>>(test_.data == TrmmData::integers ? static_cast<double>(random.below(9)) - 4
                                                                           : random.symmetric());
    };
    if constexpr (detail::is_complex_host_type<T>) {
      const auto re = part();
      return T(re, part());
    } else {
      return part();
    }
  }

  void fill_a(RandomStream& random, std::uint64_t x) {
    for (std::uint64_t i = 0; i < order(); ++i)
      for (std::uint64_t j = 0; j < order(); ++j)
        if (i == j ? test_.diag == Diag::non_unit : (test_.uplo == Uplo::lower) == (j < i))
          a_.data(x)[index_in(a_.shape(), test_.layout, i, j)] = drawn(random);
  }

  void fill_b(RandomStream& random, std::uint64_t x) {
    for (std::uint64_t line = 0; line < lines(); ++line) {
      for (std::uint64_t i = 0; i < order(); ++i) b_.data(x)[place_b(i, line)] = drawn(random);
      constexpr auto nan = std::numeric_limits<detail::Part<T>>::quiet_NaN();
      if (test_.data != TrmmData::nans || order() == 0) continue;
      T& element = b_.data(x)[place_b(random.below(order()), line)];
      if constexpr (detail::is_complex_host_type<T>)
        element = T(nan) * T(nan);
      else
        element = nan;
    }
  }

  Event enqueue(cl_command_queue queue) const {
    const bool is_batch = test_.count > 1;
    return trmm(engine_, queue,
                {.type = test_.type,
                 .layout = test_.layout,
                 .side = test_.side,
                 .uplo = test_.uplo,
                 .trans = test_.trans,
                 .diag = test_.diag,
                 .m = test_.m,
                 .n = test_.n,
                 .lda = a_.shape().leading,
                 .ldb = b_.shape().leading,
                 .batch = {.count = test_.count,
                           .stride_a = is_batch && !test_.shares_a ? stride(a_.shape()) : 0,
                           .stride_b = is_batch ? stride(b_.shape()) : 0}},
                {.alpha = test_.alpha, .a = reads() ? a_.ref() : MatrixRef{}, .b = b_.ref()}, {}, test_.products);
  }

  // Element (i, k) of T, which multiplies the lines of B: op(A) on the left, its transpose on the right.
  Complex element_of_t(std::uint64_t x, std::uint64_t i, std::uint64_t k) const {
    if (i == k && test_.diag == Diag::unit) return 1;
    const bool is_transposed = (test_.side == Side::left) == (test_.trans != Transpose::no);
    const Complex value =
        widened(a_.data(x)[index_in(a_.shape(), test_.layout, is_transposed ? k : i, is_transposed ? i : k)]);
    return test_.trans == Transpose::conjugate_transpose ? std::conj(value) : value;
  }

  // Returns an exact value after it was rounded to T.
  static Complex stored(const Complex& value) {
    if constexpr (detail::stored_in_fewer_bits<T>)
      return widened(T(value.real()));
    else
      return value;
  }

  std::string wrong_products() const {
    for (std::uint64_t x = 0; x < b_.count(); ++x)
      for (std::uint64_t line = 0; line < lines(); ++line)
        if (const std::string wrong = wrong_line(x, line); !wrong.empty())
          return "product " + std::to_string(x) + ", line " + std::to_string(line) + ": " + wrong;
    return {};
  }

  std::string wrong_line(std::uint64_t x, std::uint64_t line) const {
    const bool is_transposed = (test_.side == Side::left) == (test_.trans != Transpose::no);
    const bool is_lower = (test_.uplo == Uplo::lower) != is_transposed;
    const Complex alpha = widened_scalar<T>(test_.alpha);
    const bool is_exact = test_.data == TrmmData::integers && test_.alpha == std::trunc(test_.alpha.real());
    const auto absolute = is_exact ? 0 : small_ * static_cast<decltype(small_)>(4 * order() + 4);
    for (std::uint64_t i = 0; i < order(); ++i) {
      ElementSum<T> sum;
      for (std::uint64_t k = is_lower ? 0 : i; reads() && k < (is_lower ? i + 1 : order()); ++k)
        sum.add(element_of_t(x, i, k), widened(b_.data(x)[place_b(k, line)]));
      const ElementSum<T> expected = reads() ? sum.scaled(alpha) : ElementSum<T>();
      const T& found = b_.result(x)[place_b(i, line)];
      if (is_exact && widened(found) == stored(expected.value())) continue;
      const std::string wrong = expected.wrong(found, is_exact ? 0 : order() + 4, absolute);
      if (is_exact || !wrong.empty()) return "element " + std::to_string(i) + " is " + wrong;
    }
    return {};
  }

  const Engine& engine_;
  const TrmmCase& test_;
  GuardedMatrix<T> a_, b_;
  Wide<detail::Part<T>> small_;
};

}  // namespace

std::string try_trmm_case(const Engine& engine, const TrmmCase& test) {
  return detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) -> std::string {
    if constexpr (!std::is_integral_v<T>) {
      const auto trial = std::make_shared<TrmmTrial<T>>(engine, test);
      keep_on_oclgrind(engine, trial);
      return trial->verify();
    }
    throw std::invalid_argument("the type is " + std::string(to_string(test.type)) +
                                "; expected f16, bf16, f32, f64, c64 or c128");
  });
}

}  // namespace tilewright::verification
