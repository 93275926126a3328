// A matrix times a vector, and an outer product, as the gemm that does it: a vector with an increment is a matrix of
// one column whose rows are as far apart.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/gemv.hpp"

namespace tilewright::detail {

/// An operand as the caller stores it.
struct ProductOperand {
  OperandLabel label;
  StoredMatrix matrix;       ///< of a vector, as many rows of one element
  std::uint64_t stride = 0;  ///< from that of one product of a batch to the next
  DataType type = DataType::f32;
  bool reversed = false;  ///< a vector that begins at its far end
  bool copied = false;    ///< a dense copy stands for it in the product
};

struct VectorProduct {
  GemmProblem product{};               ///< of the operands, or of their copies
  Layout layout{};                     ///< of the caller's A
  std::uint64_t offset_alignment = 1;  ///< promised for the caller's operands
  /// In the caller's order, which is that of the product's A, B and C.
  std::array<ProductOperand, 3> operands{};

  std::uint64_t count() const { return product.batch.count; }
};

/// Throw Error(unsupported_type, invalid_increment, invalid_leading_dimension, size_overflow, overlapping_operands,
/// invalid_offset).
VectorProduct product_of(const GemvProblem& problem);
VectorProduct product_of(const GerProblem& problem);

}  // namespace tilewright::detail
