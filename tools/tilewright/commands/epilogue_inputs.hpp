// What `multiply` fuses into its product: options and files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli_names.hpp"
#include "files/npy.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {

struct EpilogueOptions {
  std::string scale, scale_per;
  std::string bias, bias_per;
  std::string activation;
  std::string residual;
  std::string zero_point;

  void add_to(CLI::App& command);

  /// The files, some of them empty.
  std::vector<std::string> inputs() const { return {scale, bias, residual}; }

  /// What they ask for. Throws UsageError.
  GemmEpilogue epilogue() const;
};

struct EpilogueInputs {
  std::optional<NpyMatrix> scale, bias, residual;
};

/// Throws FileError; `elements` are those of the residual.
EpilogueInputs read_epilogue_inputs(const EpilogueOptions& options, NpyElements elements);

/// Throws std::runtime_error where a file's size does not fit the problem.
void check_epilogue_inputs(const EpilogueInputs& inputs, const GemmProblem& problem);

}  // namespace tilewright::tool
