#include "runtime/device/pocl_cache.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "runtime/system/user_directory.hpp"

namespace tilewright::detail {
namespace {

std::string pocl_cache_directory() {
  if (auto named = trusted_environment("POCL_CACHE_DIR"); !named.empty()) return named;
  if (const auto above = trusted_environment("XDG_CACHE_HOME"); !above.empty()) return above + "/pocl/kcache";
  if (const auto home = trusted_environment("HOME"); !home.empty()) return home + "/.cache/pocl/kcache";
  return "/tmp/pocl/kcache";
}

}  // namespace

std::string pocl_cache_problem() {
  const std::string directory = pocl_cache_directory();
  std::filesystem::path there = directory;
  std::error_code error;
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (access(there.empty() ? "." : there.c_str(), W_OK | X_OK) == 0) return {};
  return "PoCL cannot write to " + directory +
         ", where it stores compiled programs; set POCL_CACHE_DIR to a writable directory";
}

}  // namespace tilewright::detail
