// Texts of system errors.
#pragma once

#include <string>
#include <system_error>

namespace tilewright::detail {

/// Describes a value of errno.
inline std::string error_text(int error) { return std::generic_category().message(error); }

}  // namespace tilewright::detail
