#include "tilewright/error.hpp"

#include "runtime/device/opencl.hpp"

namespace tilewright {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::no_platform:
      return "no_platform";
    case ErrorCode::no_device:
      return "no_device";
    case ErrorCode::device_lost:
      return "device_lost";
    case ErrorCode::null_object:
      return "null_object";
    case ErrorCode::foreign_object:
      return "foreign_object";
    case ErrorCode::invalid_buffer:
      return "invalid_buffer";
    case ErrorCode::unsupported_type:
      return "unsupported_type";
    case ErrorCode::unsupported_variant:
      return "unsupported_variant";
    case ErrorCode::unknown_variant:
      return "unknown_variant";
    case ErrorCode::unknown_parameter:
      return "unknown_parameter";
    case ErrorCode::invalid_configuration:
      return "invalid_configuration";
    case ErrorCode::size_overflow:
      return "size_overflow";
    case ErrorCode::invalid_leading_dimension:
      return "invalid_leading_dimension";
    case ErrorCode::invalid_increment:
      return "invalid_increment";
    case ErrorCode::invalid_offset:
      return "invalid_offset";
    case ErrorCode::buffer_too_small:
      return "buffer_too_small";
    case ErrorCode::invalid_structure:
      return "invalid_structure";
    case ErrorCode::overlapping_operands:
      return "overlapping_operands";
    case ErrorCode::invalid_scalar:
      return "invalid_scalar";
    case ErrorCode::invalid_batch:
      return "invalid_batch";
    case ErrorCode::unsuitable_packed_matrix:
      return "unsuitable_packed_matrix";
    case ErrorCode::invalid_workspace:
      return "invalid_workspace";
    case ErrorCode::workspace_too_small:
      return "workspace_too_small";
    case ErrorCode::overlapping_workspace:
      return "overlapping_workspace";
    case ErrorCode::failed_wait:
      return "failed_wait";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::build_failed:
      return "build_failed";
    case ErrorCode::missing_kernel_source:
      return "missing_kernel_source";
    case ErrorCode::invalid_records:
      return "invalid_records";
    case ErrorCode::opencl_failure:
      return "opencl_failure";
  }
  return "unknown";
}

std::string_view to_string(OperandName operand) {
  switch (operand) {
    case OperandName::none:
      return "none";
    case OperandName::a:
      return "A";
    case OperandName::b:
      return "B";
    case OperandName::c:
      return "C";
    case OperandName::workspace:
      return "workspace";
    case OperandName::scale:
      return "scale";
    case OperandName::bias:
      return "bias";
    case OperandName::residual:
      return "residual";
    case OperandName::x:
      return "x";
    case OperandName::y:
      return "y";
    case OperandName::z:
      return "z";
    case OperandName::result:
      return "result";
    case OperandName::pivots:
      return "pivots";
    case OperandName::info:
      return "info";
    case OperandName::iterations:
      return "iterations";
    case OperandName::determinant:
      return "determinant";
    case OperandName::tau:
      return "tau";
  }
  return "unknown";
}

std::string opencl_status_name(cl_int status) {
  switch (status) {
#define TILEWRIGHT_STATUS(name) \
  case name:                    \
    return #name
    TILEWRIGHT_STATUS(CL_SUCCESS);
    TILEWRIGHT_STATUS(CL_DEVICE_NOT_FOUND);
    TILEWRIGHT_STATUS(CL_DEVICE_NOT_AVAILABLE);
    TILEWRIGHT_STATUS(CL_COMPILER_NOT_AVAILABLE);
    TILEWRIGHT_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    TILEWRIGHT_STATUS(CL_OUT_OF_RESOURCES);
    TILEWRIGHT_STATUS(CL_OUT_OF_HOST_MEMORY);
    TILEWRIGHT_STATUS(CL_PROFILING_INFO_NOT_AVAILABLE);
    TILEWRIGHT_STATUS(CL_MEM_COPY_OVERLAP);
    TILEWRIGHT_STATUS(CL_IMAGE_FORMAT_MISMATCH);
    TILEWRIGHT_STATUS(CL_IMAGE_FORMAT_NOT_SUPPORTED);
    TILEWRIGHT_STATUS(CL_BUILD_PROGRAM_FAILURE);
    TILEWRIGHT_STATUS(CL_MAP_FAILURE);
    TILEWRIGHT_STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    TILEWRIGHT_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    TILEWRIGHT_STATUS(CL_COMPILE_PROGRAM_FAILURE);
    TILEWRIGHT_STATUS(CL_LINKER_NOT_AVAILABLE);
    TILEWRIGHT_STATUS(CL_LINK_PROGRAM_FAILURE);
    TILEWRIGHT_STATUS(CL_DEVICE_PARTITION_FAILED);
    TILEWRIGHT_STATUS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    TILEWRIGHT_STATUS(CL_INVALID_VALUE);
    TILEWRIGHT_STATUS(CL_INVALID_DEVICE_TYPE);
    TILEWRIGHT_STATUS(CL_INVALID_PLATFORM);
    TILEWRIGHT_STATUS(CL_INVALID_DEVICE);
    TILEWRIGHT_STATUS(CL_INVALID_CONTEXT);
    TILEWRIGHT_STATUS(CL_INVALID_QUEUE_PROPERTIES);
    TILEWRIGHT_STATUS(CL_INVALID_COMMAND_QUEUE);
    TILEWRIGHT_STATUS(CL_INVALID_HOST_PTR);
    TILEWRIGHT_STATUS(CL_INVALID_MEM_OBJECT);
    TILEWRIGHT_STATUS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    TILEWRIGHT_STATUS(CL_INVALID_IMAGE_SIZE);
    TILEWRIGHT_STATUS(CL_INVALID_SAMPLER);
    TILEWRIGHT_STATUS(CL_INVALID_BINARY);
    TILEWRIGHT_STATUS(CL_INVALID_BUILD_OPTIONS);
    TILEWRIGHT_STATUS(CL_INVALID_PROGRAM);
    TILEWRIGHT_STATUS(CL_INVALID_PROGRAM_EXECUTABLE);
    TILEWRIGHT_STATUS(CL_INVALID_KERNEL_NAME);
    TILEWRIGHT_STATUS(CL_INVALID_KERNEL_DEFINITION);
    TILEWRIGHT_STATUS(CL_INVALID_KERNEL);
    TILEWRIGHT_STATUS(CL_INVALID_ARG_INDEX);
    TILEWRIGHT_STATUS(CL_INVALID_ARG_VALUE);
    TILEWRIGHT_STATUS(CL_INVALID_ARG_SIZE);
    TILEWRIGHT_STATUS(CL_INVALID_KERNEL_ARGS);
    TILEWRIGHT_STATUS(CL_INVALID_WORK_DIMENSION);
    TILEWRIGHT_STATUS(CL_INVALID_WORK_GROUP_SIZE);
    TILEWRIGHT_STATUS(CL_INVALID_WORK_ITEM_SIZE);
    TILEWRIGHT_STATUS(CL_INVALID_GLOBAL_OFFSET);
    TILEWRIGHT_STATUS(CL_INVALID_EVENT_WAIT_LIST);
    TILEWRIGHT_STATUS(CL_INVALID_EVENT);
    TILEWRIGHT_STATUS(CL_INVALID_OPERATION);
    TILEWRIGHT_STATUS(CL_INVALID_GL_OBJECT);
    TILEWRIGHT_STATUS(CL_INVALID_BUFFER_SIZE);
    TILEWRIGHT_STATUS(CL_INVALID_MIP_LEVEL);
    TILEWRIGHT_STATUS(CL_INVALID_GLOBAL_WORK_SIZE);
    TILEWRIGHT_STATUS(CL_INVALID_PROPERTY);
    TILEWRIGHT_STATUS(CL_INVALID_IMAGE_DESCRIPTOR);
    TILEWRIGHT_STATUS(CL_INVALID_COMPILER_OPTIONS);
    TILEWRIGHT_STATUS(CL_INVALID_LINKER_OPTIONS);
    TILEWRIGHT_STATUS(CL_INVALID_DEVICE_PARTITION_COUNT);
#undef TILEWRIGHT_STATUS
    case -1001:
      return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
      return "OpenCL status " + std::to_string(status);
  }
}

namespace {

// Status of the ICD loader where no driver is installed (cl_khr_icd), and of every call where there is no loader.
constexpr cl_int platform_not_found = -1001;
// Status of NVIDIA's driver after a kernel accessed foreign memory. The context is unusable afterwards.
constexpr cl_int nvidia_illegal_access = -9999;

struct Diagnosis {
  ErrorCode code;
  const char* advice;
};

Diagnosis diagnose(cl_int status) {
  switch (status) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
    case CL_INVALID_IMAGE_SIZE:
    case CL_OUT_OF_HOST_MEMORY:
      return {ErrorCode::out_of_memory, "; free device memory or use smaller matrices"};
    case CL_OUT_OF_RESOURCES:
      return {ErrorCode::out_of_memory,
              "; the device lacks registers, local memory or memory for this, or an earlier kernel failed"};
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_INVALID_DEVICE:
    case CL_INVALID_CONTEXT:
    case CL_INVALID_COMMAND_QUEUE:
    case nvidia_illegal_access:
      return {ErrorCode::device_lost, "; the device is gone or its context is broken: make a new context and engine"};
    case platform_not_found:
      return {ErrorCode::no_platform, "; install a driver, or PoCL to compute on the CPU"};
    default:
      return {ErrorCode::opencl_failure, ""};
  }
}

}  // namespace

Error detail::opencl_error(cl_int status, const char* call) {
  const Diagnosis diagnosis = diagnose(status);
  return {diagnosis.code, std::string(call) + " failed with " + opencl_status_name(status) + diagnosis.advice, status};
}

}  // namespace tilewright
