// Conversions of members that the generated conversions share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/c/conversions.hpp"
#include "bindings/c/handles.hpp"

namespace tilewright {
class PackedMatrix;
}

namespace tilewright::c {

/// An optional constant: 0 is not set.
template <class Enumeration>
std::optional<Enumeration> optional_value(std::int32_t value) {
  if (value == 0) return std::nullopt;
  return from_c(value, Enumeration{});
}

/// Reads a struct through a pointer; null gives its defaults.
template <class Struct, class C>
Struct nested(const C* given) {
  return given == nullptr ? Struct{} : from_c(*Input(given));
}

template <class Struct, class C>
std::optional<Struct> optional_struct(const C* given) {
  if (given == nullptr) return std::nullopt;
  return from_c(*Input(given));
}

/// Reads structs through an array of pointers.
template <class Struct, class C>
std::vector<Struct> structs(const C* const* given, std::uint64_t count) {
  if (count > 0) expect_argument(given, "the array of structs");
  std::vector<Struct> result;
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(from_c(*Input(given[i])));
  return result;
}

inline std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

inline Choice choice_from(const tilewright_choice* given) {
  if (given == nullptr) return {};
  const Input choice(given);
  expect_zero(choice->reserved1);
  return {text_or_empty(choice->variant), Configuration::parse(text_or_empty(choice->configuration))};
}

inline Element element(std::int32_t type, std::uint32_t bytes) {
  if (bytes == 0) return from_c(type, DataType::f32);
  if (type != 0) throw Failure(TILEWRIGHT_INVALID_ARGUMENT, "type and element_bytes are both set; leave one of them 0");
  return Element::of_bytes(bytes);
}

/// Returns the matrix of a handle, null for none.
const PackedMatrix* packed(const tilewright_packed_matrix* given);

inline std::span<const cl_event> events(cl_uint count, const cl_event* given) {
  if (count > 0) expect_argument(given, "waits");
  return {given, count};
}

}  // namespace tilewright::c
