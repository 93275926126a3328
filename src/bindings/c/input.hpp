// How structs of callers are read: they may be older or newer than the library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bindings/c/guard.hpp"

namespace tilewright::c {

/// Throws Failure(TILEWRIGHT_UNSUPPORTED_STRUCT) if the struct is too short to be one, or if a member beyond `known`
/// bytes is set.
void expect_struct(const void* given, std::uint32_t struct_size, std::size_t known, const char* name);

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
inline constexpr const char* struct_name<tilewright_out_of_core_callbacks> = "tilewright_out_of_core_callbacks";
template <>
inline constexpr const char* struct_name<tilewright_tune_options> = "tilewright_tune_options";

/// A struct of the caller, as this version of the library knows it.
template <class C>
class Input {
 public:
  explicit Input(const C* given) : used_(given) {
    expect_argument(given, struct_name<C>);
    if (given->struct_size == sizeof(C)) return;
    expect_struct(given, given->struct_size, sizeof(C), struct_name<C>);
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

/// Writes a struct that the caller reads. Members beyond the caller's struct are dropped, and members that the library
/// does not know become 0. struct_size stays the caller's.
template <class C>
void write_struct(C* wanted, const C& value) {
  const std::uint32_t size = wanted->struct_size;
  if (size > sizeof(C)) std::memset(reinterpret_cast<char*>(wanted) + sizeof(C), 0, size - sizeof(C));
  std::memcpy(wanted, &value, std::min<std::size_t>(size, sizeof(C)));
  wanted->struct_size = size;
}

/// Like write_struct(), after checking the caller's pointer and struct_size.
template <class C>
void write_output(C* wanted, const C& value) {
  expect_argument(wanted, struct_name<C>);
  expect_struct(wanted, wanted->struct_size, wanted->struct_size, struct_name<C>);
  write_struct(wanted, value);
}

/// Returns the value of a member whose default is not 0: 0 means the default, and the largest unsigned number means 0.
template <class T>
T number(T value, T standard) {
  if (value == 0) return standard;
  if constexpr (std::is_unsigned_v<T>)
    if (value == std::numeric_limits<T>::max() && standard != value) return 0;
  return value;
}

inline std::optional<unsigned> optional_number(std::uint32_t value) {
  if (value == 0) return std::nullopt;
  return value == TILEWRIGHT_ZERO_32 ? 0 : value;
}

}  // namespace tilewright::c
