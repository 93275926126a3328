// The user's own directories: where the library keeps files, and whether a directory may be trusted with them.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// A kind of user directory by the environment variables that place it.
struct UserDirectoryKind {
  const char* variable;  ///< the library's own variable, which names the directory itself
  const char* xdg;       ///< the XDG variable, which names the directory above
  const char* in_home;   ///< the directory above where neither is set, below the home directory
};

inline constexpr UserDirectoryKind user_cache{"TILEWRIGHT_CACHE_DIR", "XDG_CACHE_HOME", ".cache"};
inline constexpr UserDirectoryKind user_data{"TILEWRIGHT_DATA_DIR", "XDG_DATA_HOME", ".local/share"};

struct UserDirectory {
  std::string path;       ///< empty: there is none
  bool is_named = false;  ///< the application or the user named it, so it is used as it is, whoever owns it
  std::string origin;     ///< for people: what named it, or why there is none
};

/// The value of an environment variable, empty where it is not set and in a set-user-ID or set-group-ID program, whose
/// environment belongs to somebody else.
std::string trusted_environment(const char* name);

/// An absolute path. A relative one belongs to the present working directory, and stays as it is if there is none.
std::string absolute_path(const std::string& path);

// Variables that name a directory of kernels and a file for the shapes of products.
inline constexpr const char* kernel_directory = "TILEWRIGHT_KERNEL_DIR";
inline constexpr const char* shape_file = "TILEWRIGHT_RECORD_SHAPES";

/// The absolute path in an environment variable, empty as trusted_environment() is. A relative value belongs to the
/// working directory in which it was first read: the library reads all variables above when it is loaded. A program
/// that changes its working directory later still uses the same files.
std::string environment_path(const char* variable);

/// Where files of a kind belong: the directory that the application names (if any), else the one in the library's own
/// variable, else "tilewright" in the XDG directory (absolute paths only, as the specification says), else in the one
/// below HOME, else nowhere: never a shared temporary directory. The path is absolute. Touches no file.
UserDirectory find_user_directory(const UserDirectoryKind& kind, std::string_view named_by_application = {});

/// Why a directory must not be used; empty where it may be. One that nobody named must belong to the effective user, be
/// writable by nobody else and be no symbolic link (directories above may be); where it does not exist yet, the nearest
/// one above that does must be the user's, so that a program run as root leaves nothing of root's in a user's home.
std::string why_untrusted(const UserDirectory& directory);

/// Makes a directory and those above it that are missing, readable by the user only. False where that fails.
bool make_directories(const std::string& path);

}  // namespace tilewright::detail
