// The files of a cache directory as files: which there are, and which have to go.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::detail {

constexpr std::string_view binary_suffix = ".twbin";
constexpr std::string_view environment_file = "env.txt";

/// No container is larger; what claims to be is not read.
constexpr std::uint64_t largest_container = std::uint64_t{64} << 20;

/// A directory for each driver environment, so that those of drivers that are gone can be told and removed.
std::string environment_directory(const std::string& cache, const std::string& environment);

struct BinaryFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::time_t last_use = 0;
};

/// Every program binary in a cache directory, in no order; links and other people's files are left out.
std::vector<BinaryFile> find_binaries(const std::string& cache);

/// Removes the binaries that were not used for the longest time until the rest is a tenth below the limit, and
/// temporary files that a killed process left more than an hour ago.
void evict_binaries(const std::string& cache, std::uint64_t max_bytes);

/// Removes everything that the library wrote; returns how many binaries.
std::uint64_t remove_binaries(const std::string& cache);

}  // namespace tilewright::detail
