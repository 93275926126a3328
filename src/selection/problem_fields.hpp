// The fields of problems, each listed once. Hashes, keys of records and JSON are made from these lists.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "selection/member_count.hpp"
#include "tilewright/batch.hpp"

namespace tilewright::detail {

// Limits on a problem's rows and columns, batch and work. No device exceeds them, and within them no arithmetic on a
// problem overflows.
inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t largest_stride = std::uint64_t{1} << 60U;
inline constexpr std::uint64_t largest_count = std::uint64_t{1} << 31U;
inline constexpr double max_work = 0x1p62;

/// A field of a problem, or of a struct within a problem. One without a name is not in JSON, or the operation writes
/// and reads it. The fields of a struct with an empty name are written like the problem's own.
template <class Class, class Value, bool named>
struct Field {
  static constexpr bool is_named = named;
  Value Class::*member;        ///< of a class: the function that returns it
  const char* name = nullptr;  ///< in JSON, see selection/field_json.hpp
  std::uint64_t least = 1;     ///< the least value of a number in JSON
};

/// Make the fields of lists.
template <class Class, class Value>
constexpr Field<Class, Value, false> field(Value Class::*member) {
  return {member};
}
template <class Class, class Value>
constexpr Field<Class, Value, true> field(Value Class::*member, const char* name, std::uint64_t least = 1) {
  return {member, name, least};
}

/// Fields<Problem>::list is a tuple of a Field for every member, in the order of JSON. The list of a problem's
/// operation is in problem_fields.hpp of its folder.
template <class Class>
struct Fields {};

template <>
struct Fields<Batch> {
  static constexpr std::tuple list{
      field(&Batch::count),         field(&Batch::stride_a),           field(&Batch::stride_b),
      field(&Batch::stride_c),      field(&Batch::stride_x),           field(&Batch::stride_y),
      field(&Batch::stride_z),      field(&Batch::stride_pivots),      field(&Batch::stride_info),
      field(&Batch::stride_result), field(&Batch::stride_determinant), field(&Batch::stride_tau),
      field(&Batch::by_offsets)};
};

template <class T>
concept HasFields = requires {
  Fields<T>::list;
};

/// Whether a list has as many fields as the struct has members, and none twice.
template <class Class, class... Listed>
constexpr bool is_complete(const std::tuple<Listed...>& list) {
  const auto is_same = [](const auto& x, const auto& y) {
    if constexpr (std::is_same_v<decltype(x), decltype(y)>)
      return x.member == y.member;
    else
      return false;
  };
  const auto times = [&](const auto& entry) {
    return std::apply([&](const auto&... other) { return (int{is_same(entry, other)} + ...); }, list);
  };
  const bool is_unique = std::apply([&](const auto&... entry) { return ((times(entry) == 1) && ...); }, list);
  if constexpr (std::is_aggregate_v<Class>)
    return is_unique && sizeof...(Listed) == member_count<Class>();
  else
    return is_unique;
}

/// Calls visit(field) for each field of a class.
template <class Class, class Visit>
constexpr void for_each_field(const Visit& visit) {
  static_assert(is_complete<Class>(Fields<Class>::list), "a member is missing in the list of fields, or there twice");
  std::apply([&](const auto&... entry) { (visit(entry), ...); }, Fields<Class>::list);
}

/// Returns the number for a value that is no struct. Equal values have equal numbers.
template <class T>
constexpr std::uint64_t as_number(const T& value) {
  if constexpr (requires { value.has_value(); })
    return value ? 1 + static_cast<std::uint64_t>(*value) : 0;
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<std::uint64_t>(value + 0.0);  // -0 equals 0
  else
    return static_cast<std::uint64_t>(value);
}

/// The type of the i-th field of a list.
template <class T, std::size_t i>
using FieldType = std::decay_t<decltype(std::invoke(std::get<i>(Fields<T>::list).member, std::declval<const T&>()))>;

template <class T>
constexpr std::size_t field_count = std::tuple_size_v<std::remove_cvref_t<decltype(Fields<T>::list)>>;

/// Returns the number of values in the first `count` fields of a list, with those of structs within.
template <class T, std::size_t count>
constexpr std::size_t values_before() {
  if constexpr (count == 0)
    return 0;
  else if constexpr (HasFields<FieldType<T, count - 1>>)
    return values_before<T, count - 1>() +
           values_before<FieldType<T, count - 1>, field_count<FieldType<T, count - 1>>>();
  else
    return values_before<T, count - 1>() + 1;
}

constexpr std::uint64_t odd_factor(std::size_t place) {
  std::uint64_t factor = 0x9E3779B97F4A7C15U;
  for (std::size_t i = 0; i < place; ++i) factor *= 0x9E3779B97F4A7C15U;
  return factor;
}

/// Returns the sum of the numbers of all values, each times an odd factor for its place. The first has place `first`.
template <class T, std::size_t first = 0>
constexpr std::uint64_t weighted_sum(const T& value) {
  if constexpr (HasFields<T>) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return (weighted_sum<FieldType<T, i>, first + values_before<T, i>()>(
                  std::invoke(std::get<i>(Fields<T>::list).member, value)) +
              ...);
    }
    (std::make_index_sequence<field_count<T>>());
  } else {
    constexpr std::uint64_t factor = odd_factor(first);
    return factor * as_number(value);
  }
}

/// Returns a hash of all fields of a problem.
template <class Problem>
std::size_t problem_hash(const Problem& problem) {
  // The products do not wait for each other, so that this costs little more than reading the fields.
  std::uint64_t sum = weighted_sum(problem);
  sum ^= sum >> 32U;
  sum *= 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(sum ^ (sum >> 32U));
}

/// Returns a text that differs for problems that differ in any field.
template <class Problem>
std::string problem_key(const Problem& problem) {
  std::string key;
  const auto append = [&](const auto& self, const auto& value) -> void {
    using T = std::decay_t<decltype(value)>;
    if constexpr (HasFields<T>)
      for_each_field<T>([&](const auto& entry) { self(self, std::invoke(entry.member, value)); });
    else
      key += std::to_string(as_number(value)) + ' ';
  };
  append(append, problem);
  return key;
}

}  // namespace tilewright::detail
