#pragma once

#include <string>

namespace tilewright::detail {

/// Why PoCL cannot work in this process, and what to do: it compiles into a directory below HOME, and has no device, or
/// refuses every program, where it cannot write there. Its own messages do not say so. Empty where it can write.
std::string pocl_cache_problem();

}  // namespace tilewright::detail
