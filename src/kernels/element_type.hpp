// The table of element types: all that the library, its tests and the command know of a type.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

struct ElementType {
  DataType type;
  std::string_view name;         ///< in files, options and messages
  std::string_view description;  ///< in words
  std::size_t bytes;
  std::string_view numpy;    ///< the descriptor of a little-endian NumPy array: of the bits, where NumPy lacks the type
  bool numpy_number = true;  ///< whether NumPy has numbers of the type; else its arrays hold bits as unsigned integers
  std::string_view storage;  ///< what cl/common/real.cl calls it, or its parts
  DataType accumulator;      ///< of sums and scalars; a type that is its own accumulator
  double roundoff;           ///< the largest relative error of rounding to the nearest value of the type; 0: exact
};

/// Throws Error(unsupported_type).
[[noreturn]] void refuse_complex(DataType type);

/// The type of the two parts of a complex number; of others, their own.
DataType part_of(DataType type);

/// Every type: floating-point numbers from the smallest to the largest, then integers, then complex numbers.
std::span<const ElementType> element_types();

/// Throws Error(unsupported_type) for what is no DataType.
const ElementType& element_type(DataType type);

/// The type of that name, if there is one.
std::optional<DataType> find_data_type(std::string_view name);

/// Why a device cannot compute with a type; empty where it can.
std::string why_unsupported(DataType type, const DeviceProfile& device);

/// Elements of the type that a device's native vector holds, of sums in the type; 0 where it has none.
unsigned native_vector_width(const DeviceProfile& device, DataType accumulator);

/// Bytes of a sum of products, or of an element that was loaded.
inline std::size_t accumulator_bytes(DataType type) { return size_of(accumulator_of(type)); }

/// Whether numbers of the type are integers, whose arithmetic is exact modulo 2^32.
inline bool is_integer(DataType type) { return accumulator_of(type) == DataType::i32; }

/// Whether matrices of the type can be multiplied: others are only stored as C, or moved.
inline bool may_multiply(DataType type) { return type != DataType::i32; }

/// Whether sums of `type` that are stored as `result` become floats before.
inline bool become_floats(DataType type, DataType result) { return is_integer(type) && result != DataType::i32; }

/// Of what is done with sums before they are stored.
inline DataType finishing_type(DataType type) { return is_integer(type) ? DataType::f32 : accumulator_of(type); }

/// Whether products of elements of `type` can be stored as `result`: as they are, as floats, or rounded to the type.
inline bool may_store(DataType type, DataType result) {
  return result == accumulator_of(type) || result == type || result == finishing_type(type);
}

/// What C is unless a product says otherwise.
inline DataType default_type_of_c(DataType type) { return is_integer(type) ? accumulator_of(type) : type; }

/// The -D options that tell cl/common/real.cl of the types of A and B, and of C.
std::string element_options(DataType type, DataType type_c);
inline std::string element_options(DataType type) { return element_options(type, default_type_of_c(type)); }

}  // namespace tilewright::detail
