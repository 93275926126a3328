// Products and matrices as the command line and tables of shapes name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tilewright/gemm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// Reads "MxNxK". Throws UsageError.
GemmProblem parse_shape(std::string_view text);

/// Reads "MxN", the sizes of A, into the problem. Throws UsageError.
void parse_matrix_shape(std::string_view text, TransposeProblem& problem);

/// Reads "NN", "NT", "TN" or "TT" in any case into the problem. Throws UsageError.
void parse_transposes(std::string_view text, GemmProblem& problem);

/// Reads "bias_column+gelu+residual" and its like. Throws UsageError.
GemmEpilogue parse_epilogue(std::string_view text);

/// What parse_epilogue() reads; "" where the problem has none.
std::string epilogue_of(const GemmProblem& problem);

/// Makes the problem a batch of so many products, whose dense matrices lie one after the other.
/// Throws UsageError where there is none, or they are more than can be addressed.
void set_batch(GemmProblem& problem, std::uint64_t count);

/// "f16", "bf16", "f32", "f64", "i8", ...: what options and tables call the element types.
std::vector<std::string> type_names();

/// Reads one of type_names(). Throws UsageError.
DataType parse_type(std::string_view text);

std::vector<std::string> accuracy_names();

/// Reads one of accuracy_names(). Throws UsageError.
Accuracy parse_accuracy(std::string_view text);

/// "NT"
std::string transposes_of(const GemmProblem& problem);

/// "64 x 32 x 16 f32 NT", "10 times" before it for a batch of 10, and the epilogue after it.
std::string to_string(const GemmProblem& problem);

/// "64 x 32 f32", and "in place" after it.
std::string to_string(const TransposeProblem& problem);

/// 2 m n k, for every product of a batch.
double flops_of(const GemmProblem& problem);

}  // namespace tilewright::tool
