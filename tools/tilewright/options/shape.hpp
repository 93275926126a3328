// Text forms of products and matrices on the command line and in shape tables.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/gemm_problem.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// Parses "MxNxK". Throws UsageError.
GemmProblem parse_shape(std::string_view text);

/// Parses "MxN", the sizes of A, into the problem. Throws UsageError.
void parse_matrix_shape(std::string_view text, TransposeProblem& problem);

/// Parses "N" or "NxM", the order of a matrix and another size, which is 0 if it is absent. Throws UsageError.
std::pair<std::uint64_t, std::uint64_t> parse_order(std::string_view text);

/// Parses "NN", "NT", "TN", "TT" or a pair with C (conjugate transpose), in any case, into the problem. Throws
/// UsageError.
void parse_transposes(std::string_view text, GemmProblem& problem);

/// Parses an epilogue such as "bias_column+gelu+residual". Throws UsageError.
GemmEpilogue parse_epilogue(std::string_view text);

/// Returns the epilogue's text, as parse_epilogue() accepts it; "" if the problem has none.
std::string epilogue_of(const GemmProblem& problem);

/// Makes the problem a batch of `count` products, whose dense matrices are stored one after the other. Throws
/// UsageError if `count` is 0 or 64-bit strides cannot address all matrices.
void set_batch(GemmProblem& problem, std::uint64_t count);

/// Names of the element types in options and tables: "f16", "bf16", "f32", "f64", "i8", ...
std::vector<std::string> type_names();

/// Parses a name from type_names(). Throws UsageError.
DataType parse_type(std::string_view text);

std::vector<std::string> accuracy_names();

/// Parses a name from accuracy_names(). Throws UsageError.
Accuracy parse_accuracy(std::string_view text);

/// Returns the transposes of A and B, for example "NT".
std::string transposes_of(const GemmProblem& problem);

/// Returns for example "64 x 32 x 16 f32 NT". A batch of 10 is prefixed with "10 times"; the epilogue follows.
std::string to_string(const GemmProblem& problem);

/// Returns for example "64 x 32 f32", followed by " in place" if B overwrites A.
std::string to_string(const TransposeProblem& problem);

/// Floating-point operations of all products: 2 m n k times the batch count.
double flops_of(const GemmProblem& problem);

}  // namespace tilewright::tool
