// The problem of a general matrix product: what to compute, without data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tilewright/batch.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_epilogue.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright {

/// Required accuracy of products of f32 matrices. Lower accuracy is faster on devices whose tensor cores OpenCL C can
/// reach; on other devices every product is computed as `full`. Problems of other types must use `full`.
///
/// The bounds hold element by element, with gamma(n) = n u / (1 - n u) and u = 2^-24, the roundoff of f32.
enum class Accuracy {
  /// |C' - C| <= gamma(k + 2) |alpha| |A| |B| + gamma(2) |beta| |C|.
  full,
  /// Twice the bound of `full`. Splits each element into two 11-bit parts and adds three products of the parts (Ootomo
  /// and Yokota, "Recovering single precision accuracy from Tensor Cores", 2022). Elements below 2^-100 in magnitude
  /// may lose bits.
  fp32_split,
  /// The bound of `full` plus 2^-9 |alpha| |A| |B|. Elements of A and B may first be cut to 11 bits (TF32).
  tf32,
};

/// Returns "full", "fp32_split" or "tf32"; "unknown" for a value that is no Accuracy.
[[nodiscard]] TILEWRIGHT_API std::string_view to_string(Accuracy accuracy);

/// A product, or a batch of products of the same sizes.
///
/// Computes C = alpha op(A) op(B) + beta C, and then the epilogue if there is one. op(A) is m x k, op(B) is k x n, and
/// C is m x n. All sizes, leading dimensions, strides and offsets count elements.
struct GemmProblem {
  DataType type = DataType::f32;  ///< element type of A and B: any but i32. Sums are in accumulator_of(type)

  /// Element type of C: `type` or accumulator_of(type). Unset means `type`, or i32 if `type` is i8 or u8. With such
  /// integers, f32 is possible as well, see GemmEpilogue.
  std::optional<DataType> type_c{};

  Accuracy accuracy = Accuracy::full;  ///< required accuracy of f32 products; `full` for every other type
  Layout layout = Layout::row_major;   ///< storage order of A, B, C and the residual
  Transpose trans_a = Transpose::no;   ///< op(A) = A, A^T or A^H
  Transpose trans_b = Transpose::no;   ///< op(B) = B, B^T or B^H
  std::uint64_t m = 0;                 ///< rows of op(A) and C
  std::uint64_t n = 0;                 ///< columns of op(B) and C
  std::uint64_t k = 0;                 ///< columns of op(A) and rows of op(B)
  std::uint64_t lda = 0;               ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;               ///< leading dimension of B; 0 means densely stored
  std::uint64_t ldc = 0;               ///< leading dimension of C; 0 means densely stored

  /// Promises that the offsets of A, B, C and the residual are multiples of this many elements, a power of two, so that
  /// kernels can load whole vectors. GemmPlan::enqueue throws Error(invalid_offset) for an offset that breaks the
  /// promise; gemm() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;

  Batch batch{};  ///< number of products, and the distances between consecutive A, B and C
  GemmEpilogue
      epilogue{};  ///< applied to C before it is stored; must be empty if sums are exact or the type is complex

  friend bool operator==(const GemmProblem&, const GemmProblem&) = default;
};

}  // namespace tilewright
