#include "kernels/scalars.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

void check_scalar(DataType type, const char* name, const Scalar& value) {
  if (is_complex(type)) return;
  const auto type_name = [&] { return std::string(to_string(type)); };
  if (value.imag() != 0)
    throw Error(ErrorCode::invalid_scalar,
                std::string(name) + " has an imaginary part, but the elements are " + type_name() + ", which are real");
  using Limits = std::numeric_limits<std::int32_t>;
  const double real = value.real();
  if (!is_integer(type) || (real == std::trunc(real) && real >= Limits::min() && real <= Limits::max())) return;
  throw Error(ErrorCode::invalid_scalar, std::string(name) + " is " + general_text(real, 15) +
                                             ", but with elements of type " + type_name() +
                                             " it must be a whole number from -2^31 to 2^31 - 1");
}

void check_beta(DataType type, DataType type_c, const Scalar& beta) {
  if (beta != Scalar(0) && become_floats(type, type_c))
    throw Error(ErrorCode::invalid_scalar, "beta must be 0 if sums of " + std::string(to_string(type)) +
                                               " are stored as " + std::string(to_string(type_c)));
}

std::complex<double> rounded(DataType type, const Scalar& value) {
  const DataType sums = accumulator_of(type);
  if (sums == DataType::f64 || sums == DataType::c128 || sums == DataType::i32) return value.value();
  return std::complex<double>(std::complex<float>(value.value()));
}

std::complex<double> checked_scalar(DataType type, const char* name, const Scalar& value) {
  check_scalar(type, name, value);
  return rounded(type, value);
}

double real_scalar(DataType type, const char* name, const Scalar& value) {
  check_scalar(type, name, value);
  if (value.imag() != 0)
    throw Error(ErrorCode::invalid_scalar,
                std::string(name) + " has an imaginary part, but this operation scales by real numbers only");
  return rounded(type, value).real();
}

bool rounds_to_zero(DataType type, const Scalar& value) { return rounded(type, value) == 0.0; }

}  // namespace tilewright::detail
