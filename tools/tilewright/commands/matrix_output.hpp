// Where a command's matrix goes, and what it tells meanwhile.
#pragma once

#include <string>
#include <vector>

#include "cli_names.hpp"
#include "text/page.hpp"

namespace tilewright::tool {

/// "-o", "--overwrite" and "--json".
struct MatrixOutput {
  std::string path;  ///< "-" is the standard output
  bool overwrite = false;
  bool json = false;

  void add_to(CLI::App& command);

  bool is_standard() const { return path == "-"; }

  /// Throws FileError where the matrix cannot be written there, or would replace an input unasked. Empty names are
  /// none.
  void check(const std::vector<std::string>& inputs) const;

  /// Of what is told: on standard output, unless the matrix goes there.
  const Page& page() const;
  void tell(const std::string& text) const;
};

}  // namespace tilewright::tool
