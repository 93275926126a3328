#pragma once

#include <string>

namespace tilewright::verification {

/// Returns this process's environment variables for drivers and kernels as a shell prefix:
/// "POCL_WORK_GROUP_METHOD='loops' ".
std::string driver_settings();

/// Quotes a text for a shell: 'text'.
std::string in_shell_quotes(const std::string& text);

}  // namespace tilewright::verification
