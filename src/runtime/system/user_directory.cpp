#include "runtime/system/user_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>

namespace tilewright::detail {
namespace {

std::string parent_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_absolute(const std::string& path) { return path.starts_with('/'); }

struct NamedPath {
  std::string value;  // of the environment variable
  std::string path;   // absolute
};

// Read before main(), while the working directory is the one that the user meant.
[[maybe_unused]] const bool is_read_at_start = [] {
  for (const char* const variable : {user_cache.variable, user_data.variable, kernel_directory, shape_file})
    environment_path(variable);
  return true;
}();

}  // namespace

std::string absolute_path(const std::string& path) {
  if (path.empty() || is_absolute(path)) return path;
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::current_path(error);
  return error ? path : (directory / path).string();
}

std::string trusted_environment(const char* name) {
#if defined(__linux__)
  const char* const value = secure_getenv(name);
#else
  const char* const value = getuid() == geteuid() && getgid() == getegid() ? std::getenv(name) : nullptr;
#endif
  return value == nullptr ? "" : value;
}

std::string environment_path(const char* variable) {
  std::string value = trusted_environment(variable);
  if (value.empty() || is_absolute(value)) return value;
  // Never destroyed: engines may be used while the process ends.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::string, NamedPath, std::less<>>;
  const std::lock_guard lock(mutex);
  NamedPath& named = known[variable];
  if (named.value != value) named = {value, absolute_path(value)};
  return named.path;
}

UserDirectory find_user_directory(const UserDirectoryKind& kind, std::string_view named_by_application) {
  if (!named_by_application.empty())
    return {absolute_path(std::string(named_by_application)), true, "named by the application"};
  if (auto path = environment_path(kind.variable); !path.empty())
    return {std::move(path), true, std::string("named by ") + kind.variable};
  if (const auto above = trusted_environment(kind.xdg); is_absolute(above))
    return {above + "/tilewright", false, std::string("below ") + kind.xdg};
  if (const auto home = trusted_environment("HOME"); is_absolute(home))
    return {home + '/' + kind.in_home + "/tilewright", false, "below HOME"};
  return {{}, false, std::string("neither ") + kind.variable + " nor " + kind.xdg + " nor HOME names a directory"};
}

std::string why_untrusted(const UserDirectory& directory) {
  if (directory.path.empty()) return directory.origin;
  if (directory.is_named) return {};

  struct stat status {};
  if (lstat(directory.path.c_str(), &status) == 0) {
    if (S_ISLNK(status.st_mode)) return directory.path + " is a symbolic link";
    if (!S_ISDIR(status.st_mode)) return directory.path + " is not a directory";
    if (status.st_uid != geteuid()) return directory.path + " belongs to another user";
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return directory.path + " can be written by other users";
    return {};
  }
  for (std::string above = parent_of(directory.path);; above = parent_of(above)) {
    if (stat(above.c_str(), &status) != 0) {
      if (errno != ENOENT || above == "/" || above == ".") return above + " cannot be inspected";
      continue;
    }
    if (!S_ISDIR(status.st_mode)) return above + " is not a directory";
    if (status.st_uid != geteuid()) return above + " belongs to another user, so that no directory is made there";
    return {};
  }
}

bool make_directories(const std::string& path) {
  if (mkdir(path.c_str(), S_IRWXU) == 0) return true;
  if (errno == EEXIST) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }
  if (errno != ENOENT) return false;
  const std::string above = parent_of(path);
  if (above == path || above == "." || !make_directories(above)) return false;
  // Another process may have made it meanwhile.
  return mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST;
}

}  // namespace tilewright::detail
