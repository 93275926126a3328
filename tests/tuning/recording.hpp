// Recorded tuning runs: search strategies are tried on them without a device.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tuning/search/search.hpp"
#include "tuning/search/space.hpp"

namespace tilewright::test {

/// Every valid configuration of a space with its time. Other configurations are invalid.
struct Recording {
  std::string name;
  std::vector<Parameter> parameters;
  std::unordered_map<std::string, std::optional<double>> seconds;  ///< by to_string(Configuration); none: it failed
  double best = 0;                                                 ///< seconds

  /// The space of the recorded configurations.
  tuning::Space space() const;
};

/// Reads lines of comma-separated values: `#` comments, a header with the parameters' names and then `seconds` or
/// `median_ms`, a configuration per line; no time: it failed. Columns after the time are passed over.
/// Throws std::runtime_error for anything else.
Recording read_recording(std::istream& stream, const std::string& name);

/// The recordings of a directory, *.csv and *.csv.gz, by name; empty where there is no such directory.
std::vector<Recording> read_recordings(const std::filesystem::path& directory);

/// How near a search comes to the best of a recording: after each evaluation, best time / best time found so far.
std::vector<double> replay(const Recording& recording, tuning::Search& search, std::size_t evaluations);

}  // namespace tilewright::test
