// Compiled programs that are kept between processes.
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

/// What is done with program binaries of former processes.
enum class CacheMode {
  automatic,   ///< what TILEWRIGHT_CACHE says (off, ro, rw or refresh), else what pays on the driver: docs/design.md
  off,         ///< neither read nor written
  read_only,   ///< read, never written
  read_write,  ///< read, and written where there was none
  refresh,     ///< compiled anew and replaced
};

/// Where an engine keeps its program binaries. Whatever goes wrong there is as if there were no binary: the program is
/// compiled, and set_debug_callback() tells why.
struct CacheOptions {
  CacheMode mode = CacheMode::automatic;

  /// A directory, used as it is. Empty: TILEWRIGHT_CACHE_DIR, else tilewright in XDG_CACHE_HOME or in ~/.cache if only
  /// this user can write there, else none.
  std::string directory{};

  /// What the directory may hold, in bytes; past that, what was not used for the longest time is removed.
  std::uint64_t max_bytes = std::uint64_t{256} << 20;

  /// The application's own storage, used instead of a directory where `load` or `store` is set. A key is 64 hexadecimal
  /// digits; what `load` returns is checked as a file is. Both may be called from any thread that uses the engine; an
  /// exception is as good as nothing found or nothing stored. They may use the library; programs that this needs are
  /// compiled.
  std::function<std::optional<std::string>(std::string_view key)> load{};
  std::function<void(std::string_view key, std::string_view binary)> store{};
};

/// The directory that engines use which set none.
struct CacheLocation {
  std::string directory{};  ///< empty: there is none
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
