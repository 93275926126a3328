#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/host_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/rank_k/rank_k_case.hpp"
#include "verification/rank_k/rank_k_reference.hpp"

namespace tilewright::verification {
namespace {

std::uint64_t stride_of(const StoredShape& shape) { return shape.span() + 3; }

StoredShape shape_of_factor(const RankKCase& test, Transpose trans, bool is_right, std::uint64_t gap) {
  const bool is_swapped = (trans != Transpose::no) != is_right;
  return stored_shape(test.layout, is_swapped ? test.k : test.n, is_swapped ? test.n : test.k, gap);
}

template <class T>
class RankKTrial {
 public:
  using R = detail::Part<T>;
  using Sum = detail::Accumulator<R>;
  static constexpr bool is_complex = detail::is_complex_host_type<T>;

  RankKTrial(const Engine& engine, const RankKCase& test)
      : engine_(engine),
        test_(test),
        is_gemmt_(test.call == RankKFunction::gemmt),
        is_hermitian_(is_complex && test.symmetry == Symmetry::hermitian),
        a_(matrix(shape_of_factor(test, test.trans_a, false, test.gaps[0]), 0, test.shares_a ? 1 : test.count)),
        b_(matrix(shape_of_factor(test, is_gemmt_ ? test.trans_b : test.trans_a, is_gemmt_, test.gaps[1]), 1,
                  test.count)),
        c_(matrix(stored_shape(test.layout, test.n, test.n, test.gaps[2]), 2, test.count)) {
    fill(a_, 0);
    fill(b_, 1);
    for (std::uint64_t x = 0; x < test.count; ++x) fill_triangle(x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    call.add("A", a_, false);
    if (has_b()) call.add("B", b_, false);
    call.add("C", c_, [&](std::uint64_t line, std::uint64_t i) { return changes() && is_in_triangle(line, i); });
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_updates(); });
  }

 private:
  GuardedMatrix<T> matrix(const StoredShape& shape, std::size_t operand, std::uint64_t count) const {
    return {engine_, shape, test_.offsets[operand], test_.memory, count, stride_of(shape)};
  }

  bool has_b() const { return test_.call != RankKFunction::syrk; }
  bool multiplies() const { return test_.alpha != 0.0 && test_.k > 0; }
  bool changes() const { return multiplies() || test_.beta != 1.0; }
  bool is_exact() const {
    const auto is_whole = [](double x) { return x == std::trunc(x); };
    return test_.data == DataKind::integers && is_whole(test_.alpha.real()) && is_whole(test_.alpha.imag()) &&
           is_whole(test_.beta.real()) && is_whole(test_.beta.imag());
  }
  bool is_in_triangle(std::uint64_t line, std::uint64_t i) const {
    const bool is_row = test_.layout == Layout::row_major;
    return (test_.uplo == Uplo::lower) == is_row ? i <= line : i >= line;
  }

  // Operands that must not be read stay NaN.
  void fill(GuardedMatrix<T>& matrix, std::uint64_t stream) const {
    matrix.poison();
    if (!multiplies()) return;
    const StoredShape& shape = matrix.shape();
    for (std::uint64_t x = 0; x < matrix.count(); ++x) {
      const auto values = random_data<T>(shape.lines * shape.length, test_.data, 1000 * test_.seed + 3 * x + stream);
      for (std::uint64_t line = 0; line < shape.lines; ++line)
        std::copy_n(values.data() + line * shape.length, shape.length, matrix.data(x) + line * shape.leading);
    }
  }

  // Half of the other triangle is NaN, which spreads if it is read. The others are numbers, which change if something
  // is added to them. A Hermitian diagonal has NaN as its imaginary parts.
  void fill_triangle(std::uint64_t x) {
    if (x == 0) c_.poison();
    const StoredShape& shape = c_.shape();
    const auto values = random_data<T>(shape.lines * shape.length, test_.data, 1000 * test_.seed + 3 * x + 2);
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      for (std::uint64_t i = 0; i < shape.length; ++i) {
        T& element = c_.data(x)[line * shape.leading + i];
        if (!is_in_triangle(line, i)) {
          if ((line + i) % 2 == 0) element = static_cast<T>(77.0F);
        } else if (test_.beta != 0.0) {
          element = values[line * shape.length + i];
          if constexpr (is_complex)
            if (is_hermitian_ && line == i) element.imag(std::numeric_limits<R>::quiet_NaN());
        }
      }
  }

  Batch batch() const {
    return {.count = test_.count,
            .stride_a = test_.shares_a ? 0 : stride_of(a_.shape()),
            .stride_b = has_b() ? stride_of(b_.shape()) : 0,
            .stride_c = stride_of(c_.shape())};
  }

  Event enqueue(cl_command_queue queue) const {
    const MatrixRef a = multiplies() ? a_.ref() : MatrixRef{}, b = multiplies() ? b_.ref() : MatrixRef{};
    switch (test_.call) {
      case RankKFunction::syrk:
        return syrk(engine_, queue,
                    {.type = test_.type,
                     .layout = test_.layout,
                     .uplo = test_.uplo,
                     .trans = test_.trans_a,
                     .symmetry = test_.symmetry,
                     .n = test_.n,
                     .k = test_.k,
                     .lda = a_.shape().leading,
                     .ldc = c_.shape().leading,
                     .batch = batch()},
                    {.alpha = test_.alpha, .a = a, .beta = test_.beta, .c = c_.ref()}, {}, test_.products);
      case RankKFunction::syr2k:
        return syr2k(engine_, queue,
                     {.type = test_.type,
                      .layout = test_.layout,
                      .uplo = test_.uplo,
                      .trans = test_.trans_a,
                      .symmetry = test_.symmetry,
                      .n = test_.n,
                      .k = test_.k,
                      .lda = a_.shape().leading,
                      .ldb = b_.shape().leading,
                      .ldc = c_.shape().leading,
                      .batch = batch()},
                     {.alpha = test_.alpha, .a = a, .b = b, .beta = test_.beta, .c = c_.ref()}, {}, test_.products);
      case RankKFunction::gemmt:
        break;
    }
    return gemmt(engine_, queue,
                 {.type = test_.type,
                  .layout = test_.layout,
                  .uplo = test_.uplo,
                  .trans_a = test_.trans_a,
                  .trans_b = test_.trans_b,
                  .n = test_.n,
                  .k = test_.k,
                  .lda = a_.shape().leading,
                  .ldb = b_.shape().leading,
                  .ldc = c_.shape().leading,
                  .batch = batch()},
                 {.alpha = test_.alpha, .a = a, .b = b, .beta = test_.beta, .c = c_.ref()}, {}, test_.products);
  }

  std::string wrong_updates() const {
    for (std::uint64_t x = 0; changes() && x < test_.count; ++x)
      if (const std::string wrong = wrong_update(x); !wrong.empty())
        return "update " + std::to_string(x) + ": " + wrong;
    return {};
  }

  // Returns op(X) of update x as n rows of k elements, or its conjugate.
  WideRows<R> rows_of(const GuardedMatrix<T>& matrix, std::uint64_t x, bool by_columns, bool conjugates) const {
    if (!multiplies()) return {};
    const Transpose view = by_columns ? Transpose::yes : Transpose::no;
    return {make_view(matrix.data(x), test_.layout, view, test_.n, test_.k, matrix.shape().leading), test_.n, test_.k,
            conjugates};
  }

  std::string wrong_update(std::uint64_t x) const {
    using Number = WideParts<R>;
    const bool is_transposed = test_.trans_a != Transpose::no;
    const auto is_conjugated = [](Transpose trans) { return trans == Transpose::conjugate_transpose; };
    const Number alpha = scalar(test_.alpha), conjugate_alpha{alpha.re, -alpha.im};
    std::vector<RankKTermRows<R>> terms;
    WideRows<R> a, b, other_a, other_b;
    if (is_gemmt_) {
      a = rows_of(a_, x, is_transposed, is_conjugated(test_.trans_a));
      b = rows_of(b_, x, test_.trans_b == Transpose::no, is_conjugated(test_.trans_b));
      terms = {{alpha, &a, &b}};
    } else {
      // op(A) and its conjugate: A^H is the conjugate of A^T, and op(A)^H has the conjugate columns of op(A).
      const bool conjugates = is_hermitian_ && is_transposed;
      a = rows_of(a_, x, is_transposed, conjugates);
      other_a = rows_of(a_, x, is_transposed, conjugates != is_hermitian_);
      terms = {{alpha, &a, &other_a}};
      if (has_b()) {
        b = rows_of(b_, x, is_transposed, conjugates);
        other_b = rows_of(b_, x, is_transposed, conjugates != is_hermitian_);
        terms = {{alpha, &a, &other_b}, {is_hermitian_ ? conjugate_alpha : alpha, &b, &other_a}};
      }
    }
    if (!multiplies()) terms.clear();
    const auto view = [&](const T* data) {
      return make_view(data, test_.layout, Transpose::no, test_.n, test_.n, c_.shape().leading);
    };
    const MatrixView<T> before = view(c_.data(x)), after = view(c_.result(x));
    for (std::uint64_t i = 0; i < test_.n; ++i)
      for (std::uint64_t j = 0; j < test_.n; ++j) {
        if (i != j && (test_.uplo == Uplo::lower) != (i > j)) continue;
        if (std::string wrong = wrong_element(terms, i, j, before(i, j), after(i, j)); !wrong.empty()) return wrong;
      }
    return {};
  }

  static WideParts<R> scalar(const std::complex<double>& value) {
    return {static_cast<Sum>(value.real()), static_cast<Sum>(value.imag())};
  }

  // The bounds of rank_k.hpp. A complex product is a real one of 2 k terms; an alpha or beta with an imaginary part
  // adds up to four roundings.
  std::string wrong_element(const std::vector<RankKTermRows<R>>& terms, std::uint64_t i, std::uint64_t j,
                            const T& before, const T& after) const {
    BoundedNumber<R> product, scaled;
    for (const RankKTermRows<R>& term : terms) add_term(product, term, i, j);
    const bool is_real = is_hermitian_ && i == j;
    if (test_.beta != 0.0) {
      WideParts<R> c = widened(before);
      if (is_real) c.im = 0;
      add_product<R>(scaled, scalar(test_.beta), c, magnitude_of<R>(c));
    }
    const std::uint64_t imaginary = test_.alpha.imag() != 0 || test_.beta.imag() != 0 ? 4 : 0;
    const std::uint64_t extra = (terms.size() == 2 ? 4 : 2) + imaginary;
    const bool is_joined = detail::stored_in_fewer_bits<R> && terms.size() == 2;  // one sum of 2 k products
    const auto of_product = gamma_factor<Sum>((is_complex || is_joined ? 2 : 1) * test_.k + extra),
               of_c = gamma_factor<Sum>(extra);
    const auto wrong_part = [&](const char* part, Wide<R> found, Wide<R> expected, Wide<R> of_terms,
                                Wide<R> of_before) -> std::string {
      Wide<R> bound = is_exact() ? 0 : of_product * of_terms + of_c * of_before;
      if constexpr (detail::stored_in_fewer_bits<R>) {
        if (is_exact())
          expected = static_cast<Wide<R>>(static_cast<R>(expected));
        else
          bound += static_cast<Wide<R>>(std::numeric_limits<R>::epsilon()) / 2 * (std::abs(expected) + bound) +
                   static_cast<Wide<R>>(std::numeric_limits<R>::denorm_min()) / 2;
      }
      if (std::abs(found - expected) <= bound) return {};
      detail::TextStream text;
      text.precision(17);
      text << part << "C(" << i << ", " << j << ") is " << static_cast<double>(found) << ", expected "
           << static_cast<double>(expected) << " within " << static_cast<double>(bound);
      return text.str();
    };
    const WideParts<R> found = widened(after);
    std::string wrong = wrong_part(is_complex ? "the real part of " : "", found.re, product.value.re + scaled.value.re,
                                   product.magnitude.re, scaled.magnitude.re);
    if (!wrong.empty() || !is_complex) return wrong;
    if (is_real) return wrong_part("the imaginary part of ", found.im, 0, 0, 0);
    return wrong_part("the imaginary part of ", found.im, product.value.im + scaled.value.im, product.magnitude.im,
                      scaled.magnitude.im);
  }

  const Engine& engine_;
  const RankKCase test_;
  bool is_gemmt_, is_hermitian_;
  GuardedMatrix<T> a_, b_, c_;
};

template <class T>
std::string run_trial_of(const Engine& engine, const RankKCase& test) {
  const auto trial = std::make_shared<RankKTrial<T>>(engine, test);
  keep_on_oclgrind(engine, trial);
  return trial->verify();
}

}  // namespace

std::string try_rank_k_case(const Engine& engine, const RankKCase& test) {
  return detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) -> std::string {
    if constexpr (!std::is_integral_v<T>) return run_trial_of<T>(engine, test);
    throw std::invalid_argument("the type is " + std::string(to_string(test.type)) + "; rank_k has no integer types");
  });
}

}  // namespace tilewright::verification
