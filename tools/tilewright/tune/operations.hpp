// Parsing of problems from the command line, for each tunable operation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/operation_options.hpp"
#include "options/product_options.hpp"
#include "session.hpp"
#include "tuning/report/report.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tool {

/// Properties of problems on the command line, except their sizes.
struct ProblemOptions {
  OperationOptions operation;
  ProductOptions product;
};

struct TuneOperation {
  const tuning::Operation& operation;

  /// Parses a problem from a text such as "512x512x1024" and the options. Throws UsageError.
  tuning::Problem (*read_shape)(std::string_view text, const ProblemOptions& options);

  /// Reads a table of shapes; the options are the defaults of its columns. Throws UsageError, FileError.
  std::vector<tuning::Problem> (*read_table)(const std::string& path, const ProblemOptions& options);

  /// Returns the problems of the files in the options; null if the operation takes no files.
  std::vector<tuning::Problem> (*read_files)(const ProblemOptions& options);

  /// Times other libraries on a problem, for the report; null if there are none.
  std::vector<tuning::ReportReference> (*time_references)(const Session& session, const tuning::Problem& problem,
                                                          const std::vector<std::string>& libraries);
};

/// Returns the operation's entry. Throws UsageError if the name is unknown.
const TuneOperation& find_tune_operation(std::string_view name);

}  // namespace tilewright::tool
