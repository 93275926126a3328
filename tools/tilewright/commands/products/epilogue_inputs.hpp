// Options and files of the operations that `multiply` fuses into its product.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/npy.hpp"
#include "options/cli_names.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::tool {

struct EpilogueOptions {
  std::string scale, scale_per;
  std::string bias, bias_per;
  std::string activation;
  std::string residual;
  std::string zero_point;

  void add_to(CLI::App& command);

  /// Returns the input files; absent ones are empty.
  std::vector<std::string> inputs() const { return {scale, bias, residual}; }

  /// Returns the epilogue that the options describe. Throws UsageError.
  GemmEpilogue epilogue() const;
};

struct EpilogueInputs {
  std::optional<NpyMatrix> scale, bias, residual;
};

/// Reads the files. `elements` are the types allowed for the residual. Throws FileError.
EpilogueInputs read_epilogue_inputs(const EpilogueOptions& options, NpyElements elements);

/// Throws std::runtime_error if a file's sizes differ from the problem's.
void check_epilogue_inputs(const EpilogueInputs& inputs, const GemmProblem& problem);

}  // namespace tilewright::tool
