// A cache of compiled programs that outlives the process.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/export.hpp"

namespace tilewright {

/// How program binaries from earlier processes are used.
enum class CacheMode {
  automatic,   ///< as TILEWRIGHT_CACHE says (off, ro, rw, refresh); otherwise on, except with PoCL's own cache
  off,         ///< neither read nor written
  read_only,   ///< read, never written
  read_write,  ///< read, and written if missing
  refresh,     ///< compiled again and replaced
};

/// Where an engine keeps its program binaries. Any failure there counts as a missing binary: the program is compiled,
/// and the callback of set_debug_callback() receives the reason. The same holds for a program that could not be saved.
struct CacheOptions {
  CacheMode mode = CacheMode::automatic;

  /// A directory; its owner is not checked. If empty, TILEWRIGHT_CACHE_DIR names it. Otherwise it is tilewright in
  /// XDG_CACHE_HOME or in ~/.cache, provided that only this user can write there.
  /// A relative path is made absolute when the options are set. A relative TILEWRIGHT_CACHE_DIR is made absolute when
  /// the library is loaded or first sees a new value. A relative XDG_CACHE_HOME or HOME is ignored.
  std::string directory{};

  /// The directory's limit in bytes. Beyond it, the least recently used binaries are removed.
  std::uint64_t max_bytes = std::uint64_t{256} << 20;

  /// The application's own storage, used instead of a directory where `load` or `store` is set. A key is 64 hexadecimal
  /// digits. The result of `load` is checked like a file. Both may be called from any thread that uses the engine. An
  /// exception counts as a miss, or as not stored. They may use the library; the programs needed for that are compiled.
  std::function<std::optional<std::string>(std::string_view key)> load{};
  std::function<void(std::string_view key, std::string_view binary)> store{};
};

/// The directory of engines for which set_cache() named none.
struct CacheLocation {
  std::string directory{};  ///< absolute; empty: there is none
  std::string reason{};     ///< the source of the directory, or why there is none
};
TILEWRIGHT_API CacheLocation cache_location();

/// One file of a cache directory.
struct CacheEntry {
  std::string path{};
  std::uint64_t bytes = 0;
  std::chrono::system_clock::time_point last_use{};  ///< to the day
  std::string problem{};                             ///< why it cannot be used; empty if it is valid
  std::string program{};                             ///< the kernel files that it was compiled from
  std::string options{};
  std::string device{};
  std::string platform{};
  std::string driver{};
  std::string library{};  ///< the version of this library that wrote it
};

/// Reads and checks every file of a cache directory. Returns the most recently used files first, and nothing for a
/// directory that is missing or cannot be read.
TILEWRIGHT_API std::vector<CacheEntry> list_cache(const std::string& directory);

/// Removes the library's files from a cache directory, and returns the number of binaries among them.
TILEWRIGHT_API std::uint64_t clear_cache(const std::string& directory);

}  // namespace tilewright
