// The table of operations on vectors: what their kernels are and what they do with their operands.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

enum class VectorOperation {
  none,  ///< leaves y as it is
  zero,  ///< y = 0
  scaled,
  axpby,
  hadamard,
  copy,
  swap,
  dot,
  dotc,
  compensated_dot,
  compensated_dotc,
  nrm2,
  asum,
  iamax,
};

/// The operands of a call, in the order in which they are checked.
enum VectorOperand : std::size_t { operand_x, operand_y, operand_z, operand_result, vector_operands };

struct VectorKernel {
  const char* name;       ///< in messages
  std::string_view file;  ///< below cl/; empty: nothing is computed
  const char* kernel;     ///< of the file; null: those of cl/vector/reduction.cl
  const char* defines;    ///< further -D options
  std::array<bool, vector_operands> takes;
  std::array<bool, vector_operands> reads;
  std::array<bool, vector_operands> writes;
  bool moves = false;         ///< bits, and not numbers
  bool any_type = false;      ///< of elements
  bool may_coincide = false;  ///< what is written may be what is read
};

const VectorKernel& kernel_of(VectorOperation operation);

/// Whether the result is one number.
inline bool is_reduction(VectorOperation operation) { return kernel_of(operation).takes[operand_result]; }

/// Bytes of one element of what a reduction writes, and of what its groups pass on (sum_t of the kernel files).
std::size_t result_bytes(VectorOperation operation, DataType type);
std::size_t sum_bytes(VectorOperation operation, DataType type);

}  // namespace tilewright::detail
