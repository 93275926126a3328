#pragma once

#include <string>
#include <string_view>

#include "selection/operation.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

/// What tells records apart, as text without a meaning of its own. A record replaces another one of the same key: the
/// same problem, variant and configuration.
template <class Problem>
std::string key_of(const Record<Problem>& record) {
  return Operation<Problem>::key(record.problem) + record.variant + ' ' + to_string(record.configuration);
}

/// What the source of a shipped record begins with.
inline constexpr std::string_view shipped_mark = "shipped: ";

template <class Problem>
bool is_shipped(const Record<Problem>& record) {
  return record.source.starts_with(shipped_mark);
}

}  // namespace tilewright::detail
