#pragma once

#include <string>

namespace tilewright::detail {

/// Khronos' ICD loader cuts OCL_ICD_FILENAMES at its first colon, in the environment itself, when OpenCL is first used:
/// child processes would only find the first driver. This puts the variable back to what it was when the program
/// started, where it is cut. To be called before a child process is started, by a program that has no other thread
/// which reads the environment.
void restore_icd_environment();

/// Whether a variable's value is what the loader leaves of another one.
bool is_cut(const std::string& value, const std::string& whole);

}  // namespace tilewright::detail
