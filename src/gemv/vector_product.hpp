// The gemm that computes a matrix times a vector, or an outer product. A vector with an increment is a matrix of one
// column, whose leading dimension is the increment.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/gemv.hpp"

namespace tilewright::detail {

/// An operand as the caller stores it.
struct ProductOperand {
  OperandLabel label;
  StoredMatrix matrix;       ///< a vector has one row per element, each of one element
  std::uint64_t stride = 0;  ///< elements from this operand of one product of a batch to that of the next
  DataType type = DataType::f32;
  bool reversed = false;  ///< a vector with a negative increment
  bool copied = false;    ///< the product uses a dense copy of the vector
};

struct VectorProduct {
  const char* function;                ///< "gemv" or "ger"
  GemmProblem product{};               ///< the product of the operands, or of their copies
  Layout layout{};                     ///< storage order of the caller's A
  std::uint64_t offset_alignment = 1;  ///< promised for the caller's operands
  /// The operands in the caller's order. The product uses them as A, B and C, in the same order.
  std::array<ProductOperand, 3> operands{};

  std::uint64_t count() const { return product.batch.count; }
};

/// Throw Error(unsupported_type, invalid_increment, invalid_leading_dimension, invalid_batch, size_overflow,
/// overlapping_operands, invalid_offset).
VectorProduct product_of(const GemvProblem& problem);
VectorProduct product_of(const GerProblem& problem);

/// Explains the call: its copies, and `product`, the explanation of the gemm that it consists of.
Explanation explain_vector_product(const VectorProduct& call, Explanation product);

}  // namespace tilewright::detail
