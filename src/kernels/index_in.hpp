// Lists that hold each of their elements once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilewright::detail {

/// Returns the index of an element that equals `wanted`, which is appended if there is none.
template <class T>
std::size_t index_in(std::vector<T>& all, const T& wanted) {
  const auto found = std::find(all.begin(), all.end(), wanted);
  const auto index = static_cast<std::size_t>(found - all.begin());
  if (found == all.end()) all.push_back(wanted);
  return index;
}

}  // namespace tilewright::detail
