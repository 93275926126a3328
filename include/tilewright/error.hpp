// The one exception type of the library, its codes and its operands.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// The cause of an Error.
enum class ErrorCode {
  no_platform,            ///< no OpenCL platform is installed
  no_device,              ///< no device, or none that matches the request
  device_lost,            ///< the device is gone, or its context can no longer be used
  null_object,            ///< a queue, buffer, context or device handle is null
  foreign_object,         ///< an object belongs to another context or device
  invalid_buffer,         ///< a memory object is no buffer, or its flags forbid the reading or writing that is needed
  unsupported_type,       ///< the device or the operation lacks this type
  unsupported_variant,    ///< the variant cannot compute this problem on this device
  unknown_variant,        ///< no variant has this name
  unknown_parameter,      ///< the variant has no parameter of this name
  invalid_configuration,  ///< a parameter's value or a combination breaks a constraint
  size_overflow,          ///< a size in bytes does not fit into 64 bits
  invalid_leading_dimension,  ///< a leading dimension is smaller than a row (or column)
  invalid_increment,          ///< a vector's increment is 0
  invalid_offset,             ///< an offset is no multiple of the problem's offset_alignment
  buffer_too_small,           ///< a matrix extends past the end of its buffer
  invalid_batch,              ///< strides, offsets or scalars of a batch do not fit its problems
  invalid_scalar,             ///< alpha or beta has an imaginary part although the type is real, or is no 32-bit
                              ///< integer although the type is an integer
  invalid_structure,          ///< a sparse matrix has decreasing offsets, indices out of range, or indices that break
                              ///< the order of StructureCheck::canonical
  overlapping_operands,       ///< an output shares elements with another operand, or with another output of its batch
  unsuitable_packed_matrix,   ///< a PackedMatrix was made for another device, plan or operand
  invalid_workspace,          ///< a lent workspace cannot be read and written, or its offset is no multiple of 256
  workspace_too_small,        ///< a lent workspace has fewer bytes than the plan's workspace_bytes()
  overlapping_workspace,      ///< a lent workspace shares memory with an operand
  failed_wait,                ///< an event to wait for, or the packing of a PackedMatrix, failed before the call
  out_of_memory,              ///< the device or the host has too little memory
  build_failed,               ///< the driver rejected a kernel's source
  missing_kernel_source,      ///< TILEWRIGHT_KERNEL_DIR lacks a file
  invalid_records,            ///< a file of tuning records cannot be read or written, or belongs to another device
  opencl_failure,             ///< any other failure of an OpenCL call
};

/// Returns the name of the code, such as "no_device"; "unknown" for a value that is no ErrorCode.
TILEWRIGHT_API std::string_view to_string(ErrorCode code);

/// The operand of a call that an Error is about: its buffer, sizes, leading dimension, increment, offset or stride.
enum class OperandName {
  none,  ///< no single operand
  a,
  b,
  c,
  workspace,
  scale,
  bias,
  residual,
  x,
  y,
  z,
  result,       ///< the result of a reduction
  pivots,       ///< the row interchanges of LU
  info,         ///< the status that a factorisation writes
  iterations,   ///< the number of refinements that gesv writes
  determinant,  ///< the sign and logarithm that det writes
  tau,          ///< the scalar factors of the reflectors of QR
};

/// Returns the operand as messages write it: "A", "B" and "C" in capitals, otherwise the name above; "unknown" for a
/// value that is no OperandName.
TILEWRIGHT_API std::string_view to_string(OperandName operand);

/// The exception of every error that the library reports. what() says what is wrong, what was expected and what to do.
class TILEWRIGHT_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, cl_int opencl_status = CL_SUCCESS)
      : std::runtime_error(message), code_(code), opencl_status_(opencl_status) {}
  Error(ErrorCode code, OperandName operand, const std::string& message, cl_int opencl_status = CL_SUCCESS)
      : std::runtime_error(message), code_(code), operand_(operand), opencl_status_(opencl_status) {}

  /// The cause.
  ErrorCode code() const noexcept { return code_; }

  /// The operand that is wrong, or OperandName::none if the error is about no single operand.
  OperandName operand() const noexcept { return operand_; }

  /// The status of the OpenCL call that failed, or CL_SUCCESS if no call failed.
  cl_int opencl_status() const noexcept { return opencl_status_; }

 private:
  ErrorCode code_;
  OperandName operand_ = OperandName::none;
  cl_int opencl_status_;
};

/// Returns the symbolic name of an OpenCL status, such as "CL_OUT_OF_RESOURCES".
TILEWRIGHT_API std::string opencl_status_name(cl_int status);

}  // namespace tilewright
