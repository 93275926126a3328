#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// What went wrong, one code per cause.
enum class ErrorCode {
  no_platform,            ///< no OpenCL platform is installed
  no_device,              ///< no device, or none that matches what was asked for
  device_lost,            ///< the device vanished or its context can no longer be used
  null_object,            ///< a queue, buffer, context or device handle is null
  foreign_object,         ///< an object belongs to another context or device
  invalid_buffer,         ///< a memory object that is no buffer, or one created not to be read, or written, as it is
  unsupported_type,       ///< the device cannot compute in this type
  unsupported_variant,    ///< the variant cannot run on this device or problem
  unknown_variant,        ///< no variant has this name
  unknown_parameter,      ///< the variant has no parameter of this name
  invalid_configuration,  ///< a parameter's value or a combination breaks a constraint
  size_overflow,          ///< a matrix extends past what 64-bit offsets can address
  invalid_leading_dimension,  ///< a leading dimension is smaller than a row (or column)
  invalid_increment,          ///< a vector's increment is 0
  invalid_offset,             ///< an offset breaks the plan's promised alignment
  buffer_too_small,           ///< a matrix ends after its buffer
  invalid_batch,              ///< a batch's strides or offsets do not fit its products
  invalid_scalar,             ///< alpha or beta cannot be one of this product's type: it has an imaginary part,
                              ///< or is no whole number that its integers hold
  invalid_structure,          ///< a sparse matrix's offsets decrease or do not end with its elements, or one of its
                              ///< indices is out of range, or breaks an order that was asked for
  overlapping_operands,       ///< C shares elements with another operand, or with another C of a batch
  unsuitable_packed_matrix,   ///< a PackedMatrix was made for another device, plan or operand
  invalid_workspace,          ///< a lent workspace is no buffer to read and write, or its offset is no multiple of 256
  workspace_too_small,        ///< a lent workspace ends before GemmPlan::workspace_bytes() do
  overlapping_workspace,      ///< a lent workspace shares memory with an operand
  failed_wait,                ///< an event to wait for, or the packing of a PackedMatrix, had failed before the call
  out_of_memory,              ///< the device or the host has too little memory
  build_failed,               ///< the driver refused a kernel's source
  missing_kernel_source,      ///< TILEWRIGHT_KERNEL_DIR lacks a file
  invalid_records,            ///< a file of tuning records cannot be read or written, or is another device's
  opencl_failure,             ///< any other error of an OpenCL call
};

/// The code's name as it is written above.
TILEWRIGHT_API std::string_view to_string(ErrorCode code);

/// The operand of a call that an Error is about, as the caller calls it: with its buffer, sizes, leading dimension,
/// offsets and strides.
enum class OperandName { none, a, b, c, workspace, scale, bias, residual, x, y, z, result };

/// "none", "A", "B", "C", "workspace", "scale", "bias", "residual", "x", "y", "z" or "result".
TILEWRIGHT_API std::string_view to_string(OperandName operand);

/// Every error that the library reports.
/// what() says what was wrong, what was expected and what to do.
class TILEWRIGHT_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, cl_int opencl_status = CL_SUCCESS)
      : std::runtime_error(message), code_(code), opencl_status_(opencl_status) {}
  Error(ErrorCode code, OperandName operand, const std::string& message, cl_int opencl_status = CL_SUCCESS)
      : std::runtime_error(message), code_(code), operand_(operand), opencl_status_(opencl_status) {}

  ErrorCode code() const noexcept { return code_; }

  /// Which operand is wrong; none where the error is about no operand, or about no single one.
  OperandName operand() const noexcept { return operand_; }

  /// The status of the OpenCL call that failed, CL_SUCCESS where none was involved.
  cl_int opencl_status() const noexcept { return opencl_status_; }

 private:
  ErrorCode code_;
  OperandName operand_ = OperandName::none;
  cl_int opencl_status_;
};

/// The symbolic name of an OpenCL status, for example "CL_OUT_OF_RESOURCES".
TILEWRIGHT_API std::string opencl_status_name(cl_int status);

}  // namespace tilewright
