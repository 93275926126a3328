#pragma once

#include <string>
#include <vector>

#include "cli_names.hpp"
#include "tune/operations.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tool {

struct TuneCommandOptions {
  std::vector<std::string> types{"f32"};
  std::vector<std::string> single_shapes;  ///< instead of a list, or beside it where one is given
  std::string shapes = "default";          ///< a preset's name or a file
  const CLI::Option* shapes_option = nullptr;
  ProblemOptions defaults;  ///< of shapes that do not say it themselves; its type is each of `types`
  bool for_program = false;
  std::vector<std::string> words;    ///< with --for those of `program`, with --op spmm files
  std::vector<std::string> program;  ///< to tune for, and its arguments
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

  /// Makes the words a program or files. Throws UsageError where they can be neither.
  void take_words();

  /// Whether configurations are tried in a child process: unless told otherwise on CPUs, whose compilers take minutes
  /// over some kernels.
  /// A child has no files of matrices, and kernels of spmm are compiled at once.
  bool isolates(const DeviceProfile& profile) const {
    return isolate || (!no_isolate && profile.type == DeviceType::cpu && (verify_only || !reads_matrices()));
  }

  /// Whether the problems are matrices of files.
  bool reads_matrices() const;

  /// The operation. Throws UsageError where it lacks a variant that is asked for.
  const TuneOperation& operation() const;

  /// The problems of all types. Throws UsageError, FileError.
  std::vector<tuning::Problem> problems(const DeviceProfile& profile) const;
};

/// "60s", "10m" or "1h" for the whole run, "200" evaluations for each problem, or "full", which sets the strategy to
/// the exhaustive one as well. Throws std::invalid_argument.
void parse_budget(const std::string& text, tuning::TuneOptions& options);

}  // namespace tilewright::tool
