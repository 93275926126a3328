// How the problems of each operation that can be tuned are named on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "operation_options.hpp"
#include "product_options.hpp"
#include "session.hpp"
#include "tuning/report/report.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tool {

/// What a command line says of problems beside their sizes.
struct ProblemOptions {
  OperationOptions operation;
  ProductOptions product;
};

struct TuneOperation {
  const tuning::Operation& operation;

  /// The problem of a text like "512x512x1024", with what the options say of it. Throws UsageError.
  tuning::Problem (*read_shape)(std::string_view text, const ProblemOptions& options);

  /// A table of shapes, for which the options are defaults. Throws UsageError, FileError.
  std::vector<tuning::Problem> (*read_table)(const std::string& path, const ProblemOptions& options);

  /// The problems of the files that the options name; null where there are no files.
  std::vector<tuning::Problem> (*read_files)(const ProblemOptions& options);

  /// Times other libraries on a problem for the report; null where there are none to compare with.
  std::vector<tuning::ReportReference> (*time_references)(const Session& session, const tuning::Problem& problem,
                                                          const std::vector<std::string>& libraries);
};

/// Throws UsageError where there is no such operation.
const TuneOperation& find_tune_operation(std::string_view name);

}  // namespace tilewright::tool
