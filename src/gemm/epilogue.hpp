// What a problem's epilogue means to kernels, records and the command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gemm/problem.hpp"
#include "kernels/launch.hpp"

namespace tilewright::detail {

/// Whether anything is done beside the product.
bool has_epilogue(const GemmEpilogue& epilogue);

/// Whether both do the same, wherever their residuals lie.
bool does_the_same(const GemmEpilogue& left, const GemmEpilogue& right);

/// What there is, in the order in which it is done: "scale_row+bias_column+gelu+residual"; "" for nothing.
std::string to_string(const GemmEpilogue& epilogue);

/// Reads what to_string() writes; parts may come in any order. Throws std::invalid_argument.
GemmEpilogue parse_epilogue(std::string_view text);

/// That of the transposed C.
void swap_rows_and_columns(GemmEpilogue& epilogue);

/// Fills in the residual's leading dimension, and makes what is not used 0. `layout` is the caller's.
/// Throws Error(invalid_leading_dimension, size_overflow).
void normalize_epilogue(GemmProblem& problem, Layout layout);

/// As a normalized problem stores it; empty where there is none.
StoredMatrix stored_residual(const GemmProblem& problem);

/// An operand of the epilogue.
struct EpilogueOperand {
  OperandLabel label;
  MatrixRef GemmOperands::*ref;
  StoredMatrix matrix;
  DataType type;
};

/// The operands that a normalized problem's epilogue has, in the order of kernels' arguments.
std::vector<EpilogueOperand> epilogue_operands(const GemmProblem& problem);

/// What EPILOGUE_ARGUMENTS stands for, and the -D options that make it so.
std::vector<KernelArgument> epilogue_arguments(const GemmProblem& problem);
std::string epilogue_options(const GemmProblem& problem);

}  // namespace tilewright::detail
