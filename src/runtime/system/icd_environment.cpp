#include "runtime/system/icd_environment.hpp"

#include <cstdlib>

#include "runtime/system/user_directory.hpp"

namespace tilewright::detail {
namespace {

constexpr const char* filenames = "OCL_ICD_FILENAMES";

// Read before main(), and so before any OpenCL call. Never destroyed: a static object may start a process at exit.
const std::string& at_start = *new std::string(trusted_environment(filenames));

}  // namespace

bool is_cut(const std::string& value, const std::string& whole) {
  return value.size() < whole.size() && whole.starts_with(value) && whole[value.size()] == ':';
}

std::string icd_filenames() {
  std::string now = trusted_environment(filenames);
  return is_cut(now, at_start) ? at_start : now;
}

void restore_icd_environment() {
  if (is_cut(trusted_environment(filenames), at_start)) setenv(filenames, at_start.c_str(), 1);
}

}  // namespace tilewright::detail
