#pragma once

#include <string>
#include <vector>

#include "options/cli_names.hpp"
#include "tune/operations.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tool {

struct TuneCommandOptions {
  std::vector<std::string> types{"f32"};
  std::vector<std::string> single_shapes;  ///< instead of a list, or in addition to one that is given
  std::string shapes = "default";          ///< name of a preset, or a file
  const CLI::Option* shapes_option = nullptr;
  ProblemOptions defaults;  ///< defaults for shapes; its type is replaced by each of `types`
  bool for_program = false;
  std::vector<std::string> words;    ///< positional words: a program with --for, files with --op spmm
  std::vector<std::string> program;  ///< program to tune for, and its arguments
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
  std::string timings_file;
  std::vector<std::string> against;  ///< libraries to show in the report
  bool json = false;

  void add_to(CLI::App& command);

  /// Assigns the positional words to `program` or the files. Throws UsageError if they can be neither.
  void take_words();

  /// True if configurations are tried in a child process. By default this holds on CPUs, whose compilers take minutes
  /// for some kernels, but not when tuning matrices from files: a child cannot read them, and spmm kernels compile
  /// quickly.
  bool isolates(const DeviceProfile& profile) const {
    return isolate || (!no_isolate && profile.type == DeviceType::cpu && (verify_only || !reads_matrices()));
  }

  /// True if the problems are matrices from files.
  bool reads_matrices() const;

  /// Returns the operation. Throws UsageError if it lacks a requested variant.
  const TuneOperation& operation() const;

  /// Returns the problems of all types, without duplicates. Throws UsageError, FileError.
  std::vector<tuning::Problem> problems(const DeviceProfile& profile) const;
};

/// Parses "60s", "10m" or "1h" for the whole run, "200" evaluations per problem, or "full", which also selects the
/// exhaustive strategy. Throws UsageError.
void parse_budget(const std::string& text, tuning::TuneOptions& options);

}  // namespace tilewright::tool
