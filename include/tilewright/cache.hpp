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
  automatic,   ///< what TILEWRIGHT_CACHE says (off, ro, rw or refresh), else what pays on the driver: docs/design.md
  off,         ///< neither read nor written
  read_only,   ///< read, never written
  read_write,  ///< read, and written where there was none
  refresh,     ///< compiled anew and replaced
};

/// Where an engine keeps its program binaries. Any failure there counts as a missing binary: the program is compiled,
/// and the callback of set_debug_callback() receives the reason. The same holds for a program that could not be saved.
struct CacheOptions {
  CacheMode mode = CacheMode::automatic;

  /// A directory, used whoever owns it. Empty: TILEWRIGHT_CACHE_DIR, otherwise tilewright in XDG_CACHE_HOME or in
  /// ~/.cache if only this user can write there, otherwise none. A relative path is made absolute when the options are
  /// set, a relative TILEWRIGHT_CACHE_DIR when the library is loaded (or first sees a new value), so that a later
  /// change of the working directory has no effect. A relative XDG_CACHE_HOME or HOME is ignored.
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
  std::string reason{};     ///< what named it, or why there is none
};
TILEWRIGHT_API CacheLocation cache_location();

/// One file of a cache directory.
struct CacheEntry {
  std::string path{};
  std::uint64_t bytes = 0;
  std::chrono::system_clock::time_point last_use{};  ///< to the day
  std::string problem{};                             ///< why it cannot be used; empty where it is whole
  std::string program{};                             ///< what it was compiled from
  std::string options{};
  std::string device{};
  std::string platform{};
  std::string driver{};
  std::string library{};  ///< the version of this library that wrote it
};

/// Reads and checks every file of a cache directory, those used last first.
/// A directory that is missing or cannot be read is empty.
TILEWRIGHT_API std::vector<CacheEntry> list_cache(const std::string& directory);

/// Removes the files of a cache directory that are the library's; returns how many binaries.
TILEWRIGHT_API std::uint64_t clear_cache(const std::string& directory);

}  // namespace tilewright
