// Recorded tuning runs, on which search strategies are tested without a device.
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
  std::unordered_map<std::string, std::optional<double>> seconds;  ///< by to_string(Configuration); empty if it failed
  double best = 0;                                                 ///< seconds

  /// The space of the recorded configurations.
  tuning::Space space() const;
};

/// Reads comma-separated values: `#` comments, a header with the parameters' names and then `seconds` or `median_ms`,
/// and one configuration per line. A missing time means a failure. Further columns are ignored. Throws
/// std::runtime_error for any other contents.
Recording read_recording(std::istream& stream, const std::string& name);

/// The recordings of a directory, *.csv and *.csv.gz, by name; empty if the directory does not exist.
std::vector<Recording> read_recordings(const std::filesystem::path& directory);

/// The progress of a search on a recording: after each evaluation, best time / best time found so far.
std::vector<double> replay(const Recording& recording, tuning::Search& search, std::size_t evaluations);

}  // namespace tilewright::test
