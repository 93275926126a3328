// Epilogues: what a product does with each element of C before storing it.
#pragma once

#include <cstdint>

namespace tilewright {

/// Which elements of C an element of a vector belongs to.
enum class EpilogueVector {
  none,        ///< there is no vector
  per_row,     ///< element i belongs to row i: the vector has m elements
  per_column,  ///< element j belongs to column j: the vector has n elements
};

/// A function that is applied to each element v.
///
/// NaN stays NaN. Infinity stays infinity, and -infinity becomes 0, which may be -0 except for relu.
enum class Activation {
  none,       ///< v
  relu,       ///< max(v, 0)
  gelu,       ///< v (1 + erf(v / sqrt 2)) / 2
  gelu_tanh,  ///< v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))) / 2
  silu,       ///< v / (1 + exp(-v))
};

/// The fused epilogue of a product. For each element of C, computed in accumulator_of(type):
///
///     v = alpha op(A) op(B) + beta C
///     v = v * scale          if there is a scale
///     v = v + bias           if there is a bias
///     v = activation(v)
///     v = v + residual       if there is a residual
///
/// Then v is rounded once, to the type of C, and stored. If k or alpha is 0, v starts as beta C, and the other steps
/// follow; so beta = 1 does not leave C unchanged. In either layout, rows and columns are those of C as the caller sees
/// it.
///
/// Products of i8 and u8 store exact sums as i32 and have no epilogue, unless type_c is f32 or equal to `type`. Then v
/// starts as alpha op(A) op(B) modulo 2^32 in f32, scale and bias are f32 as well, and beta must be 0. If C is i8 or
/// u8, v is rounded to the nearest integer (ties to even), and zero_point is added. The result is clamped to the range
/// of the type; NaN becomes zero_point. There is no residual then. Zero points of A and B can be folded into the bias:
/// (A - a)(B - b) = A B - a (column sums of B) - b (row sums of A) + k a b.
struct GemmEpilogue {
  EpilogueVector scale = EpilogueVector::none;  ///< which elements each element of GemmOperands::scale multiplies
  EpilogueVector bias = EpilogueVector::none;   ///< to which elements each element of GemmOperands::bias is added
  Activation activation = Activation::none;     ///< applied after the bias
  bool residual = false;  ///< whether an m x n matrix of the type and the layout of C is added last
  std::uint64_t ldr = 0;  ///< leading dimension of the residual; 0 means densely stored

  /// Elements from the residual of one product of a batch to the next; 0: all products share one residual. A batch by
  /// offsets uses the offsets of C for the residual instead.
  std::uint64_t stride_residual = 0;

  std::int32_t zero_point = 0;  ///< the integer that represents 0, if C is i8 or u8

  friend bool operator==(const GemmEpilogue&, const GemmEpilogue&) = default;
};

}  // namespace tilewright
