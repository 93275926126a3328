// How structs of callers are read: they may be older or newer than the library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bindings/c/guard.hpp"

namespace tilewright::c {

/// The largest struct_size. No struct comes near it, so a larger one was not set.
inline constexpr std::uint32_t max_struct_size = 4096;

/// Throws Failure(TILEWRIGHT_UNSUPPORTED_STRUCT) unless struct_size is a size that the struct has in some release:
/// one of `sizes`, which ends with that of this release, or a larger one. Reads no other byte of the struct.
void expect_size(std::uint32_t struct_size, std::span<const std::size_t> sizes, const char* name);

/// Throws Failure(TILEWRIGHT_UNSUPPORTED_STRUCT) if a member beyond `known` bytes is set.
void expect_zeros(const void* given, std::uint32_t struct_size, std::size_t known, const char* name);

/// Throws for a number that is no constant of an enumeration.
Failure bad_value(std::int32_t value, const char* enumeration);

/// Throws Failure(TILEWRIGHT_UNSUPPORTED_STRUCT) for a reserved member that is not 0.
void expect_zero(std::uint32_t reserved);

/// The names of structs, for messages. Generated structs have theirs in conversions.hpp.
template <class C>
inline constexpr const char* struct_name = nullptr;
template <>
inline constexpr const char* struct_name<tilewright_choice> = "tilewright_choice";
template <>
inline constexpr const char* struct_name<tilewright_cache_options> = "tilewright_cache_options";
template <>
inline constexpr const char* struct_name<tilewright_error> = "tilewright_error";
template <>
inline constexpr const char* struct_name<tilewright_out_of_core_callbacks> = "tilewright_out_of_core_callbacks";
template <>
inline constexpr const char* struct_name<tilewright_tune_options> = "tilewright_tune_options";

/// The sizes of a struct in the releases so far, from the first one on. Structs that have grown have theirs in
/// conversions.hpp.
template <class C>
inline constexpr std::array<std::size_t, 1> struct_sizes{sizeof(C)};

/// A struct of the caller, as this version of the library knows it.
template <class C>
class Input {
 public:
  explicit Input(const C* given) : used_(given) {
    expect_argument(given, struct_name<C>);
    if (given->struct_size == sizeof(C)) return;
    expect_size(given->struct_size, struct_sizes<C>, struct_name<C>);
    expect_zeros(given, given->struct_size, sizeof(C), struct_name<C>);
    std::memset(&copy_, 0, sizeof(C));
    std::memcpy(&copy_, given, std::min<std::size_t>(given->struct_size, sizeof(C)));
    used_ = &copy_;
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const C& operator*() const { return *used_; }
  const C* operator->() const { return used_; }

 private:
  const C* used_;
  C copy_;  // initialised only if it is used
};

/// Checks the caller's pointer to a struct that a function writes, and its struct_size. Functions do so before they do
/// anything else.
template <class C>
void expect_output(const C* wanted) {
  expect_argument(wanted, struct_name<C>);
  expect_size(wanted->struct_size, struct_sizes<C>, struct_name<C>);
}

/// Writes a struct that expect_output() accepted. Members beyond the caller's struct are dropped, and members that the
/// library does not know become 0. struct_size stays the caller's.
template <class C>
void write_output(C* wanted, const C& value) {
  const std::uint32_t size = wanted->struct_size;
  if (size > sizeof(C)) std::memset(reinterpret_cast<char*>(wanted) + sizeof(C), 0, size - sizeof(C));
  std::memcpy(wanted, &value, std::min<std::size_t>(size, sizeof(C)));
  wanted->struct_size = size;
}

/// Returns the value of a member whose default is not 0: 0 means the default.
template <class T>
T number_or(T value, T standard) {
  return value == 0 ? standard : value;
}

/// Like number_or(), for a member that may also be 0 itself: the largest number means 0.
template <class T>
T number_or_zero(T value, T standard) {
  static_assert(std::is_unsigned_v<T>);
  return value == std::numeric_limits<T>::max() ? 0 : number_or(value, standard);
}

inline std::optional<unsigned> optional_number(std::uint32_t value) {
  if (value == 0) return std::nullopt;
  return value == TILEWRIGHT_ZERO_32 ? 0 : value;
}

}  // namespace tilewright::c
