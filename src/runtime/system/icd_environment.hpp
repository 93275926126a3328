// Repair of OCL_ICD_FILENAMES for child processes.
#pragma once

#include <string>

namespace tilewright::detail {

/// Restores OCL_ICD_FILENAMES to its value at program start if the ICD loader cut it. Khronos' loader cuts the variable
/// at its first colon, in the environment itself, when OpenCL is first used. Child processes would then find only the
/// first driver. Call this before starting a child process, from a program without other threads that read the
/// environment.
void restore_icd_environment();

/// Whether `value` is what the loader leaves of `whole`.
bool is_cut(const std::string& value, const std::string& whole);

}  // namespace tilewright::detail
