#include "kernels/element_type.hpp"

#include <algorithm>
#include <array>

#include "kernels/build_options.hpp"
#include "tilewright/error.hpp"

namespace tilewright {
namespace detail {
namespace {

constexpr ElementType f16{.type = DataType::f16,
                          .name = "f16",
                          .description = "half precision",
                          .bytes = 2,
                          .numpy = "<f2",
                          .storage = "HALF",
                          .accumulator = DataType::f32,
                          .roundoff = 0x1p-11};
constexpr ElementType bf16{.type = DataType::bf16,
                           .name = "bf16",
                           .description = "bfloat16",
                           .bytes = 2,
                           .numpy = "<u2",
                           .numpy_number = false,
                           .storage = "BFLOAT",
                           .accumulator = DataType::f32,
                           .roundoff = 0x1p-8};
constexpr ElementType f32{.type = DataType::f32,
                          .name = "f32",
                          .description = "single precision",
                          .bytes = 4,
                          .numpy = "<f4",
                          .storage = "ACCUM",
                          .accumulator = DataType::f32,
                          .roundoff = 0x1p-24};
constexpr ElementType f64{.type = DataType::f64,
                          .name = "f64",
                          .description = "double precision",
                          .bytes = 8,
                          .numpy = "<f8",
                          .storage = "ACCUM",
                          .accumulator = DataType::f64,
                          .roundoff = 0x1p-53};

constexpr ElementType i8{.type = DataType::i8,
                         .name = "i8",
                         .description = "8-bit integers",
                         .bytes = 1,
                         .numpy = "|i1",
                         .storage = "CHAR",
                         .accumulator = DataType::i32,
                         .roundoff = 0};
constexpr ElementType u8{.type = DataType::u8,
                         .name = "u8",
                         .description = "unsigned 8-bit integers",
                         .bytes = 1,
                         .numpy = "|u1",
                         .storage = "UCHAR",
                         .accumulator = DataType::i32,
                         .roundoff = 0};
constexpr ElementType i32{.type = DataType::i32,
                          .name = "i32",
                          .description = "32-bit integers",
                          .bytes = 4,
                          .numpy = "<i4",
                          .storage = "ACCUM",
                          .accumulator = DataType::i32,
                          .roundoff = 0};

constexpr ElementType c64{.type = DataType::c64,
                          .name = "c64",
                          .description = "complex single precision",
                          .bytes = 8,
                          .numpy = "<c8",
                          .storage = "ACCUM",
                          .accumulator = DataType::c64,
                          .roundoff = 0x1p-24};
constexpr ElementType c128{.type = DataType::c128,
                           .name = "c128",
                           .description = "complex double precision",
                           .bytes = 16,
                           .numpy = "<c16",
                           .storage = "ACCUM",
                           .accumulator = DataType::c128,
                           .roundoff = 0x1p-53};

constexpr std::array types{f16, bf16, f32, f64, i8, u8, i32, c64, c128};
static_assert(std::all_of(types.begin(), types.end(),
                          [](const ElementType& entry) { return entry.bytes == size_of(entry.type); }));

}  // namespace

std::span<const ElementType> element_types() { return types; }

const ElementType& element_type(DataType type) {
  switch (type) {
    case DataType::f16:
      return types[0];
    case DataType::bf16:
      return types[1];
    case DataType::f32:
      return types[2];
    case DataType::f64:
      return types[3];
    case DataType::i8:
      return types[4];
    case DataType::u8:
      return types[5];
    case DataType::i32:
      return types[6];
    case DataType::c64:
      return types[7];
    case DataType::c128:
      return types[8];
  }
  std::string names;
  for (const ElementType& known : types) names += (names.empty() ? "" : ", ") + std::string(known.name);
  throw Error(ErrorCode::unsupported_type,
              "DataType " + std::to_string(static_cast<int>(type)) + " is unknown; the known types are: " + names);
}

std::optional<DataType> find_data_type(std::string_view name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const ElementType& t) { return t.name == name; });
  return found == types.end() ? std::nullopt : std::optional(found->type);
}

void refuse_complex(DataType type) {
  throw Error(ErrorCode::unsupported_type,
              "a real type is required here, but " + std::string(to_string(type)) + " is complex");
}

DataType part_of(DataType type) {
  switch (type) {
    case DataType::c64:
      return DataType::f32;
    case DataType::c128:
      return DataType::f64;
    case DataType::f16:
    case DataType::bf16:
    case DataType::f32:
    case DataType::f64:
    case DataType::i8:
    case DataType::u8:
    case DataType::i32:
      break;
  }
  return type;
}

std::string why_unsupported(DataType type, const DeviceProfile& device) {
  switch (part_of(accumulator_of(type))) {
    case DataType::f64:
      return device.fp64 ? "" : "the device has no double precision (cl_khr_fp64)";
    case DataType::f32:
    case DataType::f16:
    case DataType::bf16:
    case DataType::i8:
    case DataType::u8:
    case DataType::i32:
    case DataType::c64:
    case DataType::c128:
      break;
  }
  return {};
}

void check_support(DataType type, const DeviceProfile& device) {
  if (const auto why = why_unsupported(type, device); !why.empty())
    throw Error(ErrorCode::unsupported_type, device.name + ": " + why + "; use another type or another device");
}

void check_lapack_type(DataType type, const DeviceProfile& device, const char* users) {
  const ElementType& element = element_type(type);
  if (type != DataType::f32 && type != DataType::f64 && !is_complex(type))
    throw Error(ErrorCode::unsupported_type,
                "type is " + std::string(element.name) + ", but " + users + " f32, f64, c64 or c128");
  check_support(type, device);
}

void check_rounded_type(DataType type, const DeviceProfile& device, const char* users) {
  if (is_integer(type))
    throw Error(ErrorCode::unsupported_type, "type is " + std::string(element_type(type).name) + ", but " + users +
                                                 " f16, bf16, f32, f64, c64 or c128");
  check_support(type, device);
}

unsigned native_vector_width(const DeviceProfile& device, DataType accumulator) {
  switch (accumulator) {
    case DataType::f64:
      return device.native_vector_width_f64;
    case DataType::f32:
    case DataType::i32:  // uses as many bytes as f32
      return device.native_vector_width_f32;
    case DataType::f16:
    case DataType::bf16:
    case DataType::i8:
    case DataType::u8:
    case DataType::c64:
    case DataType::c128:
      break;
  }
  return 0;
}

std::string element_options(DataType type, DataType type_c) {
  const auto stored_as = [](DataType stored) { return "STORED_AS_" + std::string(element_type(stored).storage); };
  std::string options = define("ACCUM_BITS", 8 * size_of(part_of(accumulator_of(type)))) +
                        define_if(is_integer(type), "ACCUM_IS_INTEGER") + define_if(is_complex(type), "COMPLEX") +
                        define_if(accumulator_of(type) != type, stored_as(type));
  if (type_c == type) return options;
  return options + define(become_floats(type, type_c) ? "C_STORED_AS_FLOAT" : "C_" + stored_as(type_c), 1);
}

}  // namespace detail

std::string_view to_string(DataType type) {
  const auto known = detail::element_types();
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.type == type; });
  return found == known.end() ? "unknown" : found->name;
}

DataType accumulator_of(DataType type) { return detail::element_type(type).accumulator; }

}  // namespace tilewright
