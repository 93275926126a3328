// The C++ types of elements on the host, for references, data and files.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <type_traits>

#include "kernels/bfloat16.hpp"
#include "kernels/element_type.hpp"
#include "kernels/half.hpp"

namespace tilewright::detail {

template <class T>
struct HostType;
template <>
struct HostType<Half> {
  static constexpr DataType type = DataType::f16;
  using Accumulator = float;
};
template <>
struct HostType<Bfloat16> {
  static constexpr DataType type = DataType::bf16;
  using Accumulator = float;
};
template <>
struct HostType<float> {
  static constexpr DataType type = DataType::f32;
  using Accumulator = float;
};
template <>
struct HostType<double> {
  static constexpr DataType type = DataType::f64;
  using Accumulator = double;
};
template <>
struct HostType<std::int8_t> {
  static constexpr DataType type = DataType::i8;
  using Accumulator = std::int32_t;
};
template <>
struct HostType<std::uint8_t> {
  static constexpr DataType type = DataType::u8;
  using Accumulator = std::int32_t;
};
template <>
struct HostType<std::int32_t> {
  static constexpr DataType type = DataType::i32;
  using Accumulator = std::int32_t;
};

template <>
struct HostType<std::complex<float>> {
  static constexpr DataType type = DataType::c64;
  using Accumulator = std::complex<float>;
};
template <>
struct HostType<std::complex<double>> {
  static constexpr DataType type = DataType::c128;
  using Accumulator = std::complex<double>;
};

template <class T>
struct ComplexParts {
  using Part = T;
  static constexpr bool is_complex = false;
};
template <class T>
struct ComplexParts<std::complex<T>> {
  using Part = T;
  static constexpr bool is_complex = true;
};

template <class T>
inline constexpr bool is_complex_host_type = ComplexParts<T>::is_complex;

/// The type of the two parts of a complex number; for other types, T itself.
template <class T>
using Part = typename ComplexParts<T>::Part;

/// Returns elements as their parts, the real part first.
template <class T>
std::span<Part<T>> parts_of(std::span<T> elements) {
  return {reinterpret_cast<Part<T>*>(elements.data()), elements.size() * (sizeof(T) / sizeof(Part<T>))};
}

/// The type of arithmetic on elements stored as T.
template <class T>
using Accumulator = typename HostType<T>::Accumulator;

/// The type of the scalars that multiply sums of products of T, and of the values added before sums are stored.
template <class T>
using EpilogueType = std::conditional_t<std::is_integral_v<T>, float, Accumulator<T>>;

/// Whether a result is rounded to fewer bits when it is stored.
template <class T>
inline constexpr bool stored_in_fewer_bits = !std::is_same_v<T, Accumulator<T>>;

/// Calls function(std::type_identity<T>()) for the host's T of a real type. Throws Error(unsupported_type) for other
/// types.
template <class Function>
decltype(auto) with_real_host_type(DataType type, const Function& function) {
  switch (element_type(type).type) {  // throws for values outside the enumeration
    case DataType::f16:
      return function(std::type_identity<Half>());
    case DataType::bf16:
      return function(std::type_identity<Bfloat16>());
    case DataType::f64:
      return function(std::type_identity<double>());
    case DataType::i8:
      return function(std::type_identity<std::int8_t>());
    case DataType::u8:
      return function(std::type_identity<std::uint8_t>());
    case DataType::i32:
      return function(std::type_identity<std::int32_t>());
    case DataType::c64:
    case DataType::c128:
      refuse_complex(type);
    case DataType::f32:
      break;
  }
  return function(std::type_identity<float>());
}

/// Calls function(std::type_identity<T>()) for the host's T of any type.
template <class Function>
decltype(auto) with_host_type(DataType type, const Function& function) {
  if (type == DataType::c64) return function(std::type_identity<std::complex<float>>());
  if (type == DataType::c128) return function(std::type_identity<std::complex<double>>());
  return with_real_host_type(type, function);
}

}  // namespace tilewright::detail

/// For explicit instantiations: apply(T) for every T.
#define TILEWRIGHT_FOR_HOST_TYPES(apply)                                                                            \
  apply(tilewright::detail::Half) apply(tilewright::detail::Bfloat16) apply(float) apply(double) apply(std::int8_t) \
      apply(std::uint8_t) apply(std::int32_t) apply(std::complex<float>) apply(std::complex<double>)
