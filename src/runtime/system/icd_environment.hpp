// OCL_ICD_FILENAMES, which some ICD loaders cut.
#pragma once

#include <string>

namespace tilewright::detail {

/// Returns OCL_ICD_FILENAMES as it was before the ICD loader cut it; empty if it is not set. Versions of Khronos'
/// loader until 2025 cut the variable at its first colon, in the environment itself, when OpenCL is first used.
std::string icd_filenames();

/// Restores OCL_ICD_FILENAMES to icd_filenames(). Child processes would otherwise find only the first driver. Call this
/// before starting a child process, from a program without other threads that read the environment.
void restore_icd_environment();

/// Whether `value` is what the loader leaves of `whole`.
bool is_cut(const std::string& value, const std::string& whole);

}  // namespace tilewright::detail
