#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// What the elements of a matrix are stored as: IEEE 754's binary32, binary64 and binary16, and bfloat16, which is the
/// upper half of a binary32; integers of 8 bits, with and without a sign, and of 32 bits; and complex numbers, the real
/// part before the imaginary one: c64 of two f32, c128 of two f64.
/// f16 and bf16 are for storage only: sums are in f32, and what is stored is rounded once, to nearest even.
/// Products of i8 and of u8 have sums in i32, exact modulo 2^32: a sum that passes 2^31 - 1 goes on at -2^31.
enum class DataType { f32, f64, f16, bf16, i8, u8, i32, c64, c128 };
enum class Layout { row_major, column_major };
/// op(A): A, its transpose, or its conjugate transpose. For real elements the last two are the same.
enum class Transpose { no, yes, conjugate_transpose };

/// "f16", "bf16", "f32", "f64", "i8", "u8", "i32", "c64" or "c128". Throws Error(unsupported_type) for what is no
/// DataType.
TILEWRIGHT_API std::string_view to_string(DataType type);

/// The type of sums of products and of scalars such as alpha and beta, for elements that are stored as `type`.
/// Throws Error(unsupported_type) for what is no DataType.
TILEWRIGHT_API DataType accumulator_of(DataType type);

/// Bytes of one element.
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

constexpr bool is_complex(DataType type) { return type == DataType::c64 || type == DataType::c128; }

/// Where a matrix starts: a buffer and an offset in elements.
struct MatrixRef {
  cl_mem buffer = nullptr;
  std::uint64_t offset = 0;
};

/// Device memory that the caller lends for one call, from an offset in bytes on, a multiple of 256.
struct WorkspaceRef {
  cl_mem buffer = nullptr;
  std::uint64_t offset = 0;
};

}  // namespace tilewright
