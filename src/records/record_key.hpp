#pragma once

#include <string>
#include <string_view>

#include "tilewright/records.hpp"

namespace tilewright::detail {

// What tells problems and records apart, as text without a meaning of its own. A record replaces another one of the
// same key: the same problem, variant and configuration.
std::string key_of(const GemmProblem& problem);
std::string key_of(const GemmRecord& record);

/// What the source of a shipped record begins with.
inline constexpr std::string_view shipped_mark = "shipped: ";
inline bool is_shipped(const GemmRecord& record) { return record.source.starts_with(shipped_mark); }

/// Multiply-adds of a problem, all products of a batch together.
double work_of(const GemmProblem& problem);

}  // namespace tilewright::detail
