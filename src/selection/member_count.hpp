// The number of members of an aggregate, so that a list of its members can be checked.
#pragma once

#include <cstddef>
#include <utility>

namespace tilewright::detail {

struct AnyValue {
  template <class T>
  operator T() const;  // never called
};

template <class T, std::size_t... i>
constexpr bool takes_values(std::index_sequence<i...> /*count*/) {
  return requires { T{(static_cast<void>(i), AnyValue{})...}; };
}

/// Returns the number of members of an aggregate that has no built-in array.
template <class T, std::size_t count = 1>
constexpr std::size_t member_count() {
  if constexpr (takes_values<T>(std::make_index_sequence<count>()))
    return member_count<T, count + 1>();
  else
    return count - 1;
}

}  // namespace tilewright::detail
