#pragma once

#include <string>

namespace tilewright::verification {

/// The settings of drivers and kernels in this process's environment as a shell takes them before a command:
/// "POCL_WORK_GROUP_METHOD='loops' ".
std::string driver_settings();

/// "'text'", for a shell.
std::string in_shell_quotes(const std::string& text);

}  // namespace tilewright::verification
