// The files of a cache directory: finding and removing them.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/system/open_directory.hpp"

namespace tilewright::detail {

constexpr std::string_view binary_suffix = ".twbin";
constexpr std::string_view environment_file = "env.txt";

/// The first line of the file `environment_file`.
constexpr std::string_view environment_heading = "# Program binaries of Tilewright for this driver.";

/// Size limit of a container in bytes. Larger files are not read.
constexpr std::uint64_t largest_container = std::uint64_t{64} << 20;

/// Returns the path of a driver environment's directory. Binaries of drivers that are gone can thus be identified and
/// removed.
std::string environment_directory(const std::string& cache, const std::string& environment);

/// Opens a driver environment's directory. The cache directory may be a symbolic link. The directories below it may
/// not; the result is then empty.
std::optional<OpenDirectory> open_environment(const std::string& cache, const std::string& environment);

/// Opens a driver environment's directory and makes it if it is missing. The directories below the cache directory may
/// not be symbolic links; the result is then empty.
std::optional<OpenDirectory> make_environment(const std::string& cache, const std::string& environment);

struct BinaryFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::time_t last_use = 0;
};

/// Lists every program binary in a cache directory, in no order. This and the functions below ignore files that the
/// library did not write:
/// - names that the library does not use, and anything but regular files;
/// - files in a foreign directory or in a symbolic link;
/// - files that do not begin like a container, unless env.txt is in their directory.
std::vector<BinaryFile> find_binaries(const std::string& cache);

/// Removes one binary by its file name, if the library wrote it.
void remove_binary(const OpenDirectory& environment, const std::string& name);

/// If the binaries exceed the limit, removes the least recently used ones until the rest is a tenth below it. Also
/// removes temporary files that a killed process left more than an hour ago.
void evict_binaries(const std::string& cache, std::uint64_t max_bytes);

/// Removes everything that the library wrote, and its directories if nothing else is in them. Returns the number of
/// removed binaries.
std::uint64_t remove_binaries(const std::string& cache);

}  // namespace tilewright::detail
