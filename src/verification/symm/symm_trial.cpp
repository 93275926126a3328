#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "verification/common/element_sum.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/symm/symm_case.hpp"

namespace tilewright::verification {
namespace {

template <class T>
class SymmTrial {
 public:
  SymmTrial(const Engine& engine, const SymmCase& test)
      : engine_(engine),
        test_(test),
        a_(engine, shape_a(test), test.offsets[0], test.memory, test.shares_a ? 1 : test.count, stride(shape_a(test))),
        b_(engine, shape(test, 1), test.offsets[1], test.memory, test.count, stride(shape(test, 1))),
        c_(engine, shape(test, 2), test.offsets[2], test.memory, test.count, stride(shape(test, 2))) {
    for (GuardedMatrix<T>* const matrix : {&a_, &b_, &c_}) matrix->poison();
    RandomStream random(test.seed);
    for (std::uint64_t x = 0; x < a_.count() && reads(); ++x) fill_triangle(random, x);
    for (std::uint64_t x = 0; x < b_.count() && reads(); ++x) fill(random, b_, x);
    for (std::uint64_t x = 0; x < c_.count() && test.beta != 0.0; ++x) fill(random, c_, x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    call.add("A", a_, false);
    call.add("B", b_, false);
    call.add("C", c_, true);
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_products(); });
  }

 private:
  using Part = detail::Part<T>;
  using Complex = WideComplex<T>;

  static std::uint64_t order_of(const SymmCase& test) { return test.side == Side::left ? test.m : test.n; }
  static StoredShape shape_a(const SymmCase& test) {
    return stored_shape(test.layout, order_of(test), order_of(test), test.gaps[0]);
  }
  static StoredShape shape(const SymmCase& test, std::size_t operand) {
    return stored_shape(test.layout, test.m, test.n, test.gaps[operand]);
  }
  static std::uint64_t stride(const StoredShape& shape) { return shape.span() + 3; }

  bool reads() const { return test_.alpha != 0.0; }
  std::uint64_t order() const { return order_of(test_); }
  bool is_hermitian() const { return test_.symmetry == Symmetry::hermitian && detail::is_complex_host_type<T>; }

  T drawn(RandomStream& random) const {
    const auto part = [&] {
      return Part(static_cast<float>(test_.is_whole ? static_cast<double>(random.below(9)) - 4 : random.symmetric()));
    };
    if constexpr (detail::is_complex_host_type<T>) {
      const Part re = part();
      return T(re, part());
    } else {
      return part();
    }
  }

  // The imaginary parts of a Hermitian diagonal count as zeros, whatever they hold.
  void fill_triangle(RandomStream& random, std::uint64_t x) {
    for (std::uint64_t i = 0; i < order(); ++i)
      for (std::uint64_t j = 0; j < order(); ++j)
        if (i == j || (test_.uplo == Uplo::lower) == (j < i))
          a_.data(x)[index_in(a_.shape(), test_.layout, i, j)] = drawn(random);
  }

  void fill(RandomStream& random, GuardedMatrix<T>& matrix, std::uint64_t x) const {
    for (std::uint64_t i = 0; i < test_.m; ++i)
      for (std::uint64_t j = 0; j < test_.n; ++j)
        matrix.data(x)[index_in(matrix.shape(), test_.layout, i, j)] = drawn(random);
  }

  Event enqueue(cl_command_queue queue) const {
    const bool is_batch = test_.count > 1;
    const auto stride_of = [&](const auto& matrix) { return is_batch ? stride(matrix.shape()) : 0; };
    return symm(engine_, queue,
                {.type = test_.type,
                 .layout = test_.layout,
                 .symmetry = test_.symmetry,
                 .side = test_.side,
                 .uplo = test_.uplo,
                 .m = test_.m,
                 .n = test_.n,
                 .lda = a_.shape().leading,
                 .ldb = b_.shape().leading,
                 .ldc = c_.shape().leading,
                 .batch = {.count = test_.count,
                           .stride_a = test_.shares_a ? 0 : stride_of(a_),
                           .stride_b = stride_of(b_),
                           .stride_c = stride_of(c_)}},
                {.alpha = test_.alpha,
                 .a = reads() ? a_.ref() : MatrixRef{},
                 .b = reads() ? b_.ref() : MatrixRef{},
                 .beta = test_.beta,
                 .c = c_.ref()},
                {}, test_.products);
  }

  Complex element_of_a(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const bool is_stored = i == j || (test_.uplo == Uplo::lower) == (j < i);
    const Complex value = widened(a_.data(x)[index_in(a_.shape(), test_.layout, is_stored ? i : j, is_stored ? j : i)]);
    if (!is_hermitian()) return value;
    return i == j ? Complex(value.real(), 0) : is_stored ? value : std::conj(value);
  }

  std::string wrong_products() const {
    for (std::uint64_t x = 0; x < c_.count(); ++x)
      for (std::uint64_t i = 0; i < test_.m; ++i)
        for (std::uint64_t j = 0; j < test_.n; ++j)
          if (const std::string wrong = wrong_element(x, i, j); !wrong.empty())
            return "product " + std::to_string(x) + ": element (" + std::to_string(i) + ", " + std::to_string(j) +
                   ") is " + wrong;
    return {};
  }

  std::string wrong_element(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const bool is_left = test_.side == Side::left;
    const auto element = [&](const T* data, const GuardedMatrix<T>& matrix, std::uint64_t row, std::uint64_t column) {
      return data[index_in(matrix.shape(), test_.layout, row, column)];
    };
    ElementSum<T> sum;
    for (std::uint64_t k = 0; k < order() && reads(); ++k)
      sum.add(is_left ? element_of_a(x, i, k) : element_of_a(x, k, j),
              widened(is_left ? element(b_.data(x), b_, k, j) : element(b_.data(x), b_, i, k)));
    ElementSum<T> expected;
    if (reads()) expected = sum.scaled(widened_scalar<T>(test_.alpha));
    if (test_.beta != 0.0) expected.add(widened_scalar<T>(test_.beta), widened(element(c_.data(x), c_, i, j)));
    const T found = element(c_.result(x), c_, i, j);
    if (!test_.is_whole) return expected.wrong(found, order() + 20, 0);
    return widened(found) == expected.value() ? std::string() : expected.wrong(found, 0, 0) + " exactly";
  }

  const Engine& engine_;
  const SymmCase& test_;
  GuardedMatrix<T> a_, b_, c_;
};

}  // namespace

std::string try_symm_case(const Engine& engine, const SymmCase& test) {
  return detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) -> std::string {
    if constexpr (!std::is_integral_v<T>) {
      const auto trial = std::make_shared<SymmTrial<T>>(engine, test);
      keep_on_oclgrind(engine, trial);
      return trial->verify();
    }
    throw std::invalid_argument("the type is " + std::string(to_string(test.type)) + "; symm has no integer types");
  });
}

}  // namespace tilewright::verification
