// The user's directories for the library's files, and whether they can be trusted.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// A kind of user directory, located by environment variables.
struct UserDirectoryKind {
  const char* variable;  ///< the library's own variable, which names the directory itself
  const char* xdg;       ///< the XDG variable, which names the parent directory
  const char* in_home;   ///< the parent directory below the home directory, used if neither variable is set
};

inline constexpr UserDirectoryKind user_cache{"TILEWRIGHT_CACHE_DIR", "XDG_CACHE_HOME", ".cache"};
inline constexpr UserDirectoryKind user_data{"TILEWRIGHT_DATA_DIR", "XDG_DATA_HOME", ".local/share"};

struct UserDirectory {
  std::string path;       ///< empty if there is none
  bool is_named = false;  ///< named by the application or the user: its owner is not checked
  std::string origin;     ///< for messages: what named it, or why there is none
};

/// Returns the value of an environment variable; empty if it is not set. Also empty in a set-user-ID or set-group-ID
/// program, because another user controls its environment.
std::string trusted_environment(const char* name);

/// Makes a path absolute. A relative one belongs to the present working directory, and stays unchanged if there is
/// none.
std::string absolute_path(const std::string& path);

// Variables that name a directory of kernels and a file for the shapes of products.
inline constexpr const char* kernel_directory = "TILEWRIGHT_KERNEL_DIR";
inline constexpr const char* shape_file = "TILEWRIGHT_RECORD_SHAPES";

/// Returns the absolute path in an environment variable; empty if trusted_environment() is. A relative value belongs to
/// the working directory in which it was first read. The library reads all variables above when it is loaded, so that a
/// program may change its working directory later.
std::string environment_path(const char* variable);

/// Returns the directory for files of a kind, as an absolute path, without accessing any file. The first of these that
/// exists is used:
/// - the directory that the application names;
/// - the directory in the library's own variable;
/// - "tilewright" in the XDG directory, if that is absolute, as the specification demands;
/// - "tilewright" in the directory below HOME.
///
/// Otherwise there is none; a shared temporary directory is never used.
UserDirectory find_user_directory(const UserDirectoryKind& kind, std::string_view named_by_application = {});

/// Returns why a directory must not be used; empty if it may be. A directory that no one named must belong to the
/// effective user, be writable by no other user and be no symbolic link. Its parents may be links. If it does not
/// exist, its nearest existing parent must be the user's. A program run as root thus leaves no files of root in a
/// user's home.
std::string why_untrusted(const UserDirectory& directory);

/// Makes a directory and its missing parents, readable by the user only. Returns false if that fails.
bool make_directories(const std::string& path);

}  // namespace tilewright::detail
