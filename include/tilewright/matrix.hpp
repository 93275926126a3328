#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

enum class DataType { f32, f64 };
enum class Layout { row_major, column_major };
enum class Transpose { no, yes };

/// "f32" or "f64".
TILEWRIGHT_API std::string_view to_string(DataType type);

/// Bytes of one element.
constexpr std::size_t size_of(DataType type) { return type == DataType::f32 ? 4 : 8; }

/// Where a matrix starts: a buffer and an offset in elements.
struct MatrixRef {
  cl_mem buffer = nullptr;
  std::uint64_t offset = 0;
};

}  // namespace tilewright
