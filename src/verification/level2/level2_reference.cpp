#include "verification/level2/level2_reference.hpp"

#include <cmath>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {
namespace {

WideComplex wide_scalar(const std::complex<double>& value) { return {value.real(), value.imag()}; }

long double magnitude(WideComplex x) { return std::abs(x.real()) + std::abs(x.imag()); }

std::uint64_t roundings(const Level2Case& test, std::uint64_t of_real, std::uint64_t of_complex) {
  return is_complex(test.type) ? of_complex : of_real;
}

long double roundoff(const Level2Case& test) { return detail::element_type(test.type).roundoff; }

bool has_real_diagonal(const Level2Case& test) { return is_hermitian(test.call) && is_complex(test.type); }

}  // namespace

void ExpectedComplex::add(WideComplex term, long double size, std::uint64_t roundings, long double u) {
  value += term;
  const long double error = static_cast<long double>(roundings) * u;
  bound += error / (1 - error) * size;
}

bool is_hermitian(Level2Call call) {
  return call == Level2Call::hemv || call == Level2Call::her || call == Level2Call::her2;
}

bool has_two_vectors(Level2Call call) {
  return call != Level2Call::trmv && call != Level2Call::syr && call != Level2Call::her;
}

bool writes_triangle(Level2Call call) {
  return call == Level2Call::syr || call == Level2Call::her || call == Level2Call::syr2 || call == Level2Call::her2;
}

bool is_in_triangle(const Level2Case& test, std::uint64_t i, std::uint64_t j) {
  if (i == j) return test.call != Level2Call::trmv || test.diag == Diag::non_unit;
  return (test.uplo == Uplo::lower) == (i > j);
}

// A stored element, as it counts.
WideComplex Level2Reference::stored(std::uint64_t i, std::uint64_t j) const {
  const WideComplex value = a(i, j);
  return i == j && has_real_diagonal(test) ? WideComplex(value.real()) : value;
}

// Element (i, j) of the matrix that multiplies x.
WideComplex Level2Reference::factor(std::uint64_t i, std::uint64_t j) const {
  if (test.call != Level2Call::trmv) {
    if (is_in_triangle(test, i, j)) return stored(i, j);
    const WideComplex value = stored(j, i);
    return is_hermitian(test.call) ? std::conj(value) : value;
  }
  const bool is_transposed = test.trans != Transpose::no;
  const std::uint64_t row = is_transposed ? j : i, column = is_transposed ? i : j;
  if (row == column && test.diag == Diag::unit) return 1;
  if (!is_in_triangle(test, row, column)) return 0;
  const WideComplex value = stored(row, column);
  return test.trans == Transpose::conjugate_transpose ? std::conj(value) : value;
}

ExpectedComplex Level2Reference::element_of_vector(std::uint64_t i) const {
  const std::uint64_t n = test.n;
  const bool is_trmv = test.call == Level2Call::trmv;
  const WideComplex alpha = is_trmv ? 1 : wide_scalar(test.alpha), beta = is_trmv ? 0 : wide_scalar(test.beta);
  WideComplex sum = 0;
  long double size = 0;
  for (std::uint64_t j = 0; j < n && alpha != WideComplex(0); ++j) {
    const WideComplex of_a = factor(i, j), of_x = x(j);
    sum += of_a * of_x;
    size += magnitude(of_a) * magnitude(of_x);
  }
  ExpectedComplex expected;
  expected.add(alpha * sum, magnitude(alpha) * size,
               is_trmv ? roundings(test, n, 2 * n) : roundings(test, n + 2, 2 * n + 4), roundoff(test));
  if (beta == WideComplex(0)) return expected;
  expected.add(beta * y(i), magnitude(beta) * magnitude(y(i)), roundings(test, 2, 4), roundoff(test));
  return expected;
}

ExpectedComplex Level2Reference::element_of_triangle(std::uint64_t i, std::uint64_t j) const {
  const auto flipped = [&](WideComplex value) { return is_hermitian(test.call) ? std::conj(value) : value; };
  const WideComplex old = test.alpha == 0.0 ? a(i, j) : stored(i, j), alpha = wide_scalar(test.alpha);
  ExpectedComplex expected;
  expected.add(old, magnitude(old), test.alpha == 0.0 ? 0 : roundings(test, 2, 4), roundoff(test));
  if (test.alpha == 0.0) return expected;
  const std::uint64_t count = has_two_vectors(test.call) ? roundings(test, 4, 8) : roundings(test, 3, 6);
  const auto add = [&](WideComplex factor, WideComplex left, WideComplex right) {
    expected.add(factor * left * flipped(right), magnitude(factor) * magnitude(left) * magnitude(right), count,
                 roundoff(test));
  };
  if (has_two_vectors(test.call)) {
    add(alpha, x(i), y(j));
    add(flipped(alpha), y(i), x(j));
  } else {
    add(alpha, x(i), x(j));
  }
  if (i == j && has_real_diagonal(test)) expected.value.imag(0);
  return expected;
}

std::string wrong_element(WideComplex found, const ExpectedComplex& expected, long double smallest) {
  const WideComplex error = found - expected.value;
  const long double bound = expected.bound + smallest;
  if (std::abs(error.real()) <= bound && std::abs(error.imag()) <= bound) return {};
  const auto part = [](long double x) { return detail::general_text(static_cast<double>(x), 17); };
  const auto text = [&](WideComplex x) { return part(x.real()) + "," + part(x.imag()); };
  return " is " + text(found) + ", expected " + text(expected.value) + " with an error of at most " +
         part(expected.bound);
}

}  // namespace tilewright::verification
