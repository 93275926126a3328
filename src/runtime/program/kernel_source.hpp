#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::detail {

/// Concatenates kernel files (paths below cl/) to one self-contained source, in which #line tells the compiler where
/// each begins. They come from the embedded copies, or
/// from the directory in TILEWRIGHT_KERNEL_DIR where that is set. Throws Error(missing_kernel_source).
std::string kernel_source(const std::vector<std::string_view>& paths);

}  // namespace tilewright::detail
