// Keys of records, and the mark of shipped ones.
#pragma once

#include <string>
#include <string_view>

#include "selection/operation.hpp"
#include "selection/problem_fields.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

/// Returns the key of a record, an opaque text made of its problem, variant and configuration. A record replaces
/// another one with the same key.
template <class Problem>
std::string key_of(const Record<Problem>& record) {
  return problem_key(record.problem) + record.variant + ' ' + to_string(record.configuration);
}

/// Prefix of the source of a shipped record.
inline constexpr std::string_view shipped_mark = "shipped: ";

template <class Problem>
bool is_shipped(const Record<Problem>& record) {
  return record.source.starts_with(shipped_mark);
}

}  // namespace tilewright::detail
