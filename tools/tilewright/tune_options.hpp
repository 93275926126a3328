#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tuning/tuner.hpp"

namespace tilewright::tool {

struct TuneCommandOptions {
  std::string device;
  std::vector<std::string> types{"f32"};
  std::string shapes = "default";  ///< a preset's name or a file
  std::string budget = "200";
  std::string strategy;
  std::vector<std::string> variants;
  std::uint64_t seed = 1;
  bool resume = false;
  bool refresh = false;
  bool isolate = false;
  bool no_isolate = false;
  double limit_seconds = 10;
  bool verify_only = false;
  std::string t4_file;
  std::string report_file;
  std::vector<std::string> against;  ///< libraries for the report
  bool json = false;

  void add_to(CLI::App& command);

  /// Whether configurations are tried in a child process: unless told otherwise on CPUs, whose compilers take minutes
  /// over some kernels.
  bool isolates(const DeviceProfile& profile) const {
    return isolate || (!no_isolate && profile.type == DeviceType::cpu);
  }

  /// The problems of all types. Throws std::invalid_argument, FileError.
  std::vector<GemmProblem> problems(const DeviceProfile& profile) const;
};

/// "60s", "10m" or "1h" for the whole run, "200" evaluations for each problem, or "full", which sets the strategy to
/// the exhaustive one as well. Throws std::invalid_argument.
void parse_budget(const std::string& text, tuning::TuneOptions& options);

}  // namespace tilewright::tool
