// The files of a cache directory as files: which there are, and which have to go.
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

/// The first line of an environment_file.
constexpr std::string_view environment_heading = "# Program binaries of Tilewright for this driver.";

/// No container is larger; what claims to be is not read.
constexpr std::uint64_t largest_container = std::uint64_t{64} << 20;

/// A directory for each driver environment, so that those of drivers that are gone can be told and removed.
std::string environment_directory(const std::string& cache, const std::string& environment);

/// The same, opened. The cache directory may be a symbolic link, what is below it may not: nothing is then.
std::optional<OpenDirectory> open_environment(const std::string& cache, const std::string& environment);

/// The same, made where it is missing.
std::optional<OpenDirectory> make_environment(const std::string& cache, const std::string& environment);

struct BinaryFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::time_t last_use = 0;
};

/// Every program binary in a cache directory, in no order. What the library did not write is left out, here and below:
/// what has another name than it gives, is no regular file, lies in a directory that is none of its own or a symbolic
/// link, or has neither the beginning of a container nor env.txt beside it.
std::vector<BinaryFile> find_binaries(const std::string& cache);

/// Removes one binary by its file name, if the library wrote it.
void remove_binary(const OpenDirectory& environment, const std::string& name);

/// Removes the binaries that were not used for the longest time until the rest is a tenth below the limit, and
/// temporary files that a killed process left more than an hour ago.
void evict_binaries(const std::string& cache, std::uint64_t max_bytes);

/// Removes everything that the library wrote, and its directories where nothing else is in them; returns how many
/// binaries.
std::uint64_t remove_binaries(const std::string& cache);

}  // namespace tilewright::detail
