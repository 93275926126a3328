#include "kernels/scalar_check.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

void check_scalar(DataType type, const char* name, const std::complex<double>& value) {
  if (is_complex(type)) return;
  const auto type_name = [&] { return std::string(to_string(type)); };
  if (value.imag() != 0)
    throw Error(ErrorCode::invalid_scalar, std::string(name) + " has an imaginary part, but the matrices are " +
                                               type_name() + "; a complex product takes c64 or c128");
  using Limits = std::numeric_limits<std::int32_t>;
  const double real = value.real();
  if (!is_integer(type) || (real == std::trunc(real) && real >= Limits::min() && real <= Limits::max())) return;
  throw Error(ErrorCode::invalid_scalar, std::string(name) + " is " + general_text(real, 15) +
                                             ", but where A and B are " + type_name() +
                                             " it must be a whole number from -2^31 to 2^31 - 1");
}

void check_beta(DataType type, DataType type_c, const std::complex<double>& beta) {
  if (beta != 0.0 && become_floats(type, type_c))
    throw Error(ErrorCode::invalid_scalar, "beta must be 0 where sums of " + std::string(to_string(type)) +
                                               " are stored as " + std::string(to_string(type_c)));
}

}  // namespace tilewright::detail
