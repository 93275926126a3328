// Diagnosis of a PoCL cache that cannot be written.
#pragma once

#include <string>

namespace tilewright::detail {

/// Returns why PoCL cannot work in this process and what to do; empty if it can write its cache. PoCL compiles into a
/// directory below HOME. If it cannot write there, it has no device or refuses every program, and its messages do not
/// say why.
std::string pocl_cache_problem();

}  // namespace tilewright::detail
