// Functions on a problem's epilogue for kernels, records and the command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gemm/problem.hpp"
#include "kernels/launch.hpp"

namespace tilewright::detail {

/// Whether the epilogue has any step.
bool has_epilogue(const GemmEpilogue& epilogue);

/// Whether both epilogues have the same steps; leading dimensions and strides of residuals may differ.
bool is_equivalent(const GemmEpilogue& left, const GemmEpilogue& right);

/// Names of the steps in the order of execution: "scale_row+bias_column+gelu+residual"; "" for none.
std::string to_string(const GemmEpilogue& epilogue);

/// Parses the output of to_string(); steps may come in any order. Throws std::invalid_argument.
GemmEpilogue parse_epilogue(std::string_view text);

/// Turns the epilogue into that of the transposed C.
void swap_rows_and_columns(GemmEpilogue& epilogue);

/// Fills in the residual's leading dimension, and sets unused fields to 0. `layout` is the caller's. Throws
/// Error(invalid_leading_dimension, size_overflow).
void normalize_epilogue(GemmProblem& problem, Layout layout);

/// The residual as a normalized problem stores it; empty if there is none.
StoredMatrix stored_residual(const GemmProblem& problem);

/// An operand of the epilogue.
struct EpilogueOperand {
  OperandLabel label;
  MatrixRef GemmOperands::*ref;
  StoredMatrix matrix;
  DataType type;
};

/// The operands of a normalized problem's epilogue, in the order of kernel arguments.
std::vector<EpilogueOperand> epilogue_operands(const GemmProblem& problem);

/// The kernel arguments that EPILOGUE_ARGUMENTS declares, and the -D options that declare them.
std::vector<KernelArgument> epilogue_arguments(const GemmProblem& problem);
std::string epilogue_options(const GemmProblem& problem);

}  // namespace tilewright::detail
