// Element types, layouts, the words for parts of a matrix, and references to matrices in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// Element type of a matrix or vector.
///
/// f16 and bf16 are storage types: sums are in f32, and each result is rounded once, to nearest even. Products of i8
/// and u8 have sums in i32 that are exact modulo 2^32. Complex numbers store the real part first.
enum class DataType {
  f32,   ///< IEEE 754 binary32
  f64,   ///< IEEE 754 binary64
  f16,   ///< IEEE 754 binary16
  bf16,  ///< bfloat16, the upper half of a binary32
  i8,    ///< signed 8-bit integer
  u8,    ///< unsigned 8-bit integer
  i32,   ///< signed 32-bit integer
  c64,   ///< complex number of two f32
  c128,  ///< complex number of two f64
};

/// Storage order of a matrix: rows or columns are contiguous.
enum class Layout { row_major, column_major };

/// op(A): A, its transpose, or its conjugate transpose. For real elements the last two are the same.
enum class Transpose { no, yes, conjugate_transpose };

/// Side of the other matrix on which a triangular or symmetric matrix A appears, such as op(A) X = B or X op(A) = B.
enum class Side { left, right };

/// Triangle of a matrix that is used, as the caller counts rows and columns. The other triangle is neither read nor
/// written.
enum class Uplo { lower, upper };

/// unit: the diagonal counts as ones, and the stored diagonal is not read.
enum class Diag { non_unit, unit };

/// Symmetry of a matrix of which one triangle is stored: A = A^T, or A = A^H with a real diagonal. For real elements
/// both are the same.
enum class Symmetry { symmetric, hermitian };

/// Returns the type's name, such as "f32"; "unknown" for a value that is no DataType.
TILEWRIGHT_API std::string_view to_string(DataType type);

/// Returns the type in which products of elements of `type` are summed, and to which alpha and beta are rounded. It is
/// f32 for f16 and bf16, i32 for i8 and u8, otherwise `type`. Throws Error(unsupported_type) for a value that is no
/// DataType.
TILEWRIGHT_API DataType accumulator_of(DataType type);

/// Returns the bytes of one element.
constexpr std::size_t size_of(DataType type) {
  switch (type) {
    case DataType::i8:
    case DataType::u8:
      return 1;
    case DataType::f16:
    case DataType::bf16:
      return 2;
    case DataType::f32:
    case DataType::i32:
      return 4;
    case DataType::f64:
    case DataType::c64:
      return 8;
    case DataType::c128:
      return 16;
  }
  return 0;
}

/// Whether the elements are complex numbers.
constexpr bool is_complex(DataType type) { return type == DataType::c64 || type == DataType::c128; }

/// The first element of a matrix or vector in device memory.
struct MatrixRef {
  cl_mem buffer = nullptr;   ///< a buffer or sub-buffer of the engine's context
  std::uint64_t offset = 0;  ///< elements from the start of the buffer
};

/// Device memory that the caller lends to one call. It is in use until the call's event completes.
struct WorkspaceRef {
  cl_mem buffer = nullptr;   ///< null: the call uses the engine's shared workspace
  std::uint64_t offset = 0;  ///< bytes from the start of the buffer, a multiple of 256
};

}  // namespace tilewright
