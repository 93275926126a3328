// The source text of kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::detail {

/// Concatenates kernel files (paths below cl/) to one self-contained source, with a #line directive where each begins.
/// Reads the embedded copies, or the directory in TILEWRIGHT_KERNEL_DIR if that is set. Throws
/// Error(missing_kernel_source).
std::string kernel_source(const std::vector<std::string_view>& paths);

}  // namespace tilewright::detail
