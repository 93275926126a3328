// Products of matrices in host memory, divided between several devices.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/device_group.h"
#include "tilewright/c/generated/gemm_problem.h"
#include "tilewright/c/generated/out_of_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a group of the devices of some engines, which may belong to different platforms. The group retains the
/// engines. Fails with TILEWRIGHT_NO_DEVICE if `count` is 0, and TILEWRIGHT_INVALID_CONFIGURATION if a device is listed
/// twice with the same context.
TILEWRIGHT_C_API tilewright_status tilewright_group_create(const tilewright_engine* const* engines, uint64_t count,
                                                           tilewright_group** group);

/// Makes a group of every device of the host. A CPU that several platforms offer is included once. Fails with
/// TILEWRIGHT_NO_PLATFORM, TILEWRIGHT_NO_DEVICE, TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY or
/// TILEWRIGHT_OPENCL_FAILURE.
TILEWRIGHT_C_API tilewright_status tilewright_group_create_all(tilewright_group** group);

/// Adds a reference.
TILEWRIGHT_C_API tilewright_status tilewright_group_retain(tilewright_group* group);

/// Returns a reference; null is ignored.
TILEWRIGHT_C_API void tilewright_group_release(tilewright_group* group);

/// Writes the number of devices in the group to `count`.
TILEWRIGHT_C_API tilewright_status tilewright_group_size(const tilewright_group* group, uint64_t* count);

/// Computes C = alpha op(A) op(B) + beta C, one product or a batch with strides, of f32 or f64, on all devices of the
/// group. Blocks until C is complete. Calls of several threads run one after another. `options` may be null.
///
/// `report`, which may be null, receives a JSON object with `tiles`, `seconds` and `devices`: an array in the group's
/// order. Each device is an object with
///   - `device`: its name
///   - `tiles`, `work` (its fraction, up to 1) and `seconds`
///   - `bytes_up` and `bytes_down`: bytes to and from the device
///   - `taken_over`: tiles that were first assigned to another device
///   - `error`: why the device failed; empty if it did not
///   - `is_reserve`: true if the device was not used, because it would not have saved time
///   - `reason`: if `is_reserve`, the expected times with and without the device, and what limits them
///   - `bytes_copied`: bytes that its threads copied between the matrices and pinned memory, which devices share
///
/// Accuracy: |C' - C| <= gamma(k + 2) |alpha| |A| |B| + gamma(s + 1) |beta| |C| element by element, where s is the
/// number of slabs along k. Devices of different kinds may round differently. If a device fails, the other devices do
/// its tiles. If C is read and the failed device has partly written tiles, the call fails, and the message names them.
///
/// Fails with one of:
///   - TILEWRIGHT_UNSUPPORTED_TYPE: the type is neither f32 nor f64, a device lacks it, or there is an epilogue
///   - TILEWRIGHT_INVALID_BATCH: the batch is by offsets
///   - TILEWRIGHT_INVALID_LEADING_DIMENSION: a leading dimension is smaller than a row (or column) of its matrix
///   - TILEWRIGHT_SIZE_OVERFLOW: a matrix has more bytes than 64-bit offsets can address
///   - TILEWRIGHT_INVALID_CONFIGURATION: `speeds` of the options has a wrong length or value, or no device can allocate
///     tiles of these sizes
///   - TILEWRIGHT_NULL_OBJECT: a matrix that is read or written is null
///   - TILEWRIGHT_INVALID_OFFSET: a pointer is not aligned to the element type
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: C shares elements with A, B or c_in, or matrices C of the batch share elements
///   - TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_BUILD_FAILED, TILEWRIGHT_OPENCL_FAILURE: no
///     device is left, or tiles are unspecified
TILEWRIGHT_C_API tilewright_status tilewright_group_gemm(const tilewright_group* group,
                                                         const tilewright_gemm_problem* problem,
                                                         const tilewright_host_operands* operands,
                                                         const tilewright_device_group_options* options, char** report);

/// Releases the plan and the device memory that the last call left for the next call of the same form.
TILEWRIGHT_C_API tilewright_status tilewright_group_release_memory(const tilewright_group* group);

#ifdef __cplusplus
}
#endif
