// Destination of a command's matrix and of its report.
#pragma once

#include <string>
#include <vector>

#include "options/cli_names.hpp"
#include "text/page.hpp"

namespace tilewright::tool {

/// Options -o, --overwrite and --json.
struct MatrixOutput {
  std::string path;  ///< "-": standard output
  bool overwrite = false;
  bool json = false;

  void add_to(CLI::App& command);

  bool is_standard() const { return path == "-"; }

  /// Throws FileError if the matrix cannot be written, or would replace an input without --overwrite. Empty names are
  /// ignored.
  void check(const std::vector<std::string>& inputs) const;

  /// Page of the report: standard output, or standard error if the matrix goes to standard output.
  const Page& page() const;
  void print(const std::string& text) const;
};

}  // namespace tilewright::tool
