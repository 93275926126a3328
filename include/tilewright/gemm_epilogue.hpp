// What a product does with each element of C before it stores it.
#pragma once

#include <cstdint>

namespace tilewright {

/// Which numbers of a vector go with which elements of C.
enum class EpilogueVector {
  none,
  per_row,     ///< number i with row i: m numbers
  per_column,  ///< number j with column j: n numbers
};

/// What is done with an element v.
///
///     relu       v, but 0 where v <= 0
///     gelu       v (1 + erf(v / sqrt 2)) / 2
///     gelu_tanh  v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))) / 2
///     silu       v / (1 + exp(-v))
///
/// NaN stays NaN. Of infinity each of them is infinity, of -infinity 0, which may be -0 but for relu.
enum class Activation { none, relu, gelu, gelu_tanh, silu };

/// The fused epilogue of a product. For each element of C, in accumulator_of(type):
///
///     v = alpha op(A) op(B) + beta C
///     v = v * scale          where there is one
///     v = v + bias           where there is one
///     v = activation(v)
///     v = v + residual       where there is one
///
/// and v is rounded once, to the type of C, and stored. Where k or alpha is 0, v begins as beta C, and the rest is as
/// above: so beta = 1 does not leave C as it is. Rows and columns are those of C as the caller sees it in either
/// layout.
///
/// Products of i8 and u8 have exact sums, C = alpha op(A) op(B) + beta C in i32, and no epilogue, unless type_c says
/// that C is f32, or of the type of A and B: then v begins as alpha op(A) op(B), modulo 2^32, in f32, and so are scale
/// and bias; beta must be 0. To i8 and u8 v is rounded to the nearest whole number, of two to the even one, the zero
/// point is added, and what is out of range becomes the limit; NaN becomes the zero point. There is no residual then.
/// Zero points of A and B are terms of a bias: (A - a)(B - b) = A B - a (sums of B's columns) - b (sums of A's rows) +
/// k a b.
struct GemmEpilogue {
  EpilogueVector scale = EpilogueVector::none;
  EpilogueVector bias = EpilogueVector::none;
  Activation activation = Activation::none;
  /// Whether an m x n matrix is added, of the type and the layout of C.
  bool residual = false;
  /// Elements from one row (row-major) or column (column-major) of the residual to the next; 0 means densely stored.
  std::uint64_t ldr = 0;
  /// In batches by strides: elements from one product's residual to the next; 0: all products have the same.
  /// In batches by offsets the offsets of C count for the residual, too.
  std::uint64_t stride_residual = 0;
  /// Where C is i8 or u8: what stands for 0 there.
  std::int32_t zero_point = 0;

  friend bool operator==(const GemmEpilogue&, const GemmEpilogue&) = default;
};

}  // namespace tilewright
