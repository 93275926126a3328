#pragma once

#include <string_view>

namespace tilewright::detail {

/// Writes all bytes to a descriptor, in several calls if needed. Returns false and sets errno if that fails. Exceeding
/// the limit on file sizes (`ulimit -f`) is such a failure, and does not end the process.
bool write_all(int descriptor, std::string_view bytes) noexcept;

}  // namespace tilewright::detail
