#include "options/matrix_output.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "files/file_error.hpp"
#include "files/output_file.hpp"

namespace tilewright::tool {

void MatrixOutput::add_to(CLI::App& command) {
  command.add_option("-o,--output", path, "NumPy file to write, whole or not at all; - for standard output")
      ->required();
  command.add_flag("--overwrite", overwrite, "allow the output to replace an input");
  command.add_flag("--json", json, "print one JSON object, on standard error if the matrix goes to standard output");
}

void MatrixOutput::check(const std::vector<std::string>& inputs) const {
  if (is_standard()) return check_binary_output();
  check_output(path);
  if (overwrite) return;
  for (const std::string& input : inputs)
    if (!input.empty() && same_file(input, path))
      throw FileError(FileErrorCode::cannot_write, path,
                      fmt::format("is the same file as the input {}; name another one, or give --overwrite", input));
}

const Page& MatrixOutput::page() const { return is_standard() ? error_page() : output_page(); }

void MatrixOutput::print(const std::string& text) const { fmt::print(is_standard() ? stderr : stdout, "{}", text); }

}  // namespace tilewright::tool
