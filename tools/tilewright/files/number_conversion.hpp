// Conversion of elements between host types, and errors for numbers that overflow the new type.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>

#include "files/file_error.hpp"
#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"

namespace tilewright::tool {

/// Row and column of an element, counted from 0.
struct MatrixPlace {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
};

/// Rounds a number to To. A real number gets the imaginary part 0. Complex numbers cannot become real.
template <class To, class From>
To converted_number(From x) {
  if constexpr (detail::is_complex_host_type<From> || !detail::is_complex_host_type<To>)
    return static_cast<To>(x);
  else
    return static_cast<To>(static_cast<detail::Part<To>>(x));
}

template <class T>
bool is_finite_number(T x) {
  if constexpr (detail::is_complex_host_type<T>)
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  else
    return std::isfinite(static_cast<double>(x));
}

/// Returns true if a finite number became infinite in the conversion.
template <class From, class To>
bool is_overflow(From x, To converted) {
  return !is_finite_number(converted) && is_finite_number(x);
}

/// Throws FileError(out_of_range) for a number in a file that overflows the type To.
template <class To, class From>
[[noreturn]] void refuse_overflow(const std::string& path, const MatrixPlace& place, From x) {
  std::string number;
  if constexpr (detail::is_complex_host_type<From>)
    number = fmt::format("{}{:+}i", x.real(), x.imag());
  else
    number = fmt::format("{}", static_cast<double>(x));
  throw FileError(
      FileErrorCode::out_of_range, path,
      fmt::format("row {}, column {} (counted from 1): the element, {}, is too large for {}; use --type {}",
                  place.row + 1, place.column + 1, number, detail::element_type(detail::HostType<To>::type).name,
                  detail::is_complex_host_type<To> ? "c128" : "f64"));
}

}  // namespace tilewright::tool
