// The table of element types: everything that the library, its tests and the command know about a type.
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
  std::string_view name;         ///< used in files, options and messages
  std::string_view description;  ///< a phrase for people
  std::size_t bytes;
  std::string_view numpy;    ///< descriptor of a little-endian NumPy array; of the bits if NumPy lacks the type
  bool numpy_number = true;  ///< whether NumPy has the type; otherwise its arrays hold the bits as unsigned integers
  std::string_view storage;  ///< name of the type, or of its parts, in cl/common/types.cl
  DataType accumulator;      ///< type of sums and scalars; it is its own accumulator
  double roundoff;           ///< largest relative error of rounding to the nearest value of the type; 0: exact
};

/// Throws Error(unsupported_type).
[[noreturn]] void refuse_complex(DataType type);

/// Returns the type of the two parts of a complex number; for other types, the type itself.
DataType part_of(DataType type);

/// Returns every type: floating-point types from the smallest to the largest, then integers, then complex types.
std::span<const ElementType> element_types();

/// Throws Error(unsupported_type) if `type` is not a DataType.
const ElementType& element_type(DataType type);

/// Returns the type of that name, if there is one.
std::optional<DataType> find_data_type(std::string_view name);

/// Returns why a device cannot compute with a type; empty if it can.
std::string why_unsupported(DataType type, const DeviceProfile& device);

/// Throws Error(unsupported_type) if a device cannot compute with a type.
void check_support(DataType type, const DeviceProfile& device);

/// Throws Error(unsupported_type) if the type is not one of LAPACK's, which are f32, f64, c64 and c128, or if the
/// device lacks it. `users` begins the end of the message: "triangular systems need".
void check_lapack_type(DataType type, const DeviceProfile& device, const char* users);

/// Throws Error(unsupported_type) if the type is an integer, or if the device lacks it. `users` as above.
void check_rounded_type(DataType type, const DeviceProfile& device, const char* users);

/// Returns the length of a device's native vector for sums in the type; 0 if there is none.
unsigned native_vector_width(const DeviceProfile& device, DataType accumulator);

/// Returns the size in bytes of a sum of products, or of a loaded element.
inline std::size_t accumulator_bytes(DataType type) { return size_of(accumulator_of(type)); }

/// Whether numbers of the type are integers, whose arithmetic is exact modulo 2^32.
inline bool is_integer(DataType type) { return accumulator_of(type) == DataType::i32; }

/// Whether matrices of the type can be multiplied. Other types can only be stored as C, or moved.
inline bool may_multiply(DataType type) { return type != DataType::i32; }

/// Whether sums of `type` that are stored as `result` are converted to floats first.
inline bool become_floats(DataType type, DataType result) { return is_integer(type) && result != DataType::i32; }

/// Returns the type of the operations that are applied to sums before they are stored.
inline DataType epilogue_type(DataType type) { return is_integer(type) ? DataType::f32 : accumulator_of(type); }

/// Whether products of elements of `type` can be stored as `result`: unchanged, as floats, or rounded to `type`.
inline bool may_store(DataType type, DataType result) {
  return result == accumulator_of(type) || result == type || result == epilogue_type(type);
}

/// Returns the type of C unless a product specifies another.
inline DataType default_type_of_c(DataType type) { return is_integer(type) ? accumulator_of(type) : type; }

/// Returns the -D options that pass the types of A, B and C to cl/common/types.cl and cl/common/complex.cl.
std::string element_options(DataType type, DataType type_c);
inline std::string element_options(DataType type) { return element_options(type, default_type_of_c(type)); }

}  // namespace tilewright::detail
