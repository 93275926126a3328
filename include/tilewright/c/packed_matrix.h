// Matrices that are packed once for many products, such as the weights of a network.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/packed_matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a copy of A or B in the form that a plan's kernel reads. Enqueues the packing of `source` on `queue` after
/// `waits`; calls that use the packed matrix wait for it on the device. `source` must stay unchanged until
/// tilewright_packed_matrix_ready() completes. Allocates the device memory of the copy.
///
/// Pass the packed matrix as packed_a or packed_b of tilewright_gemm_operands. It fits every plan of the same context,
/// device, type and variant that stores and packs this operand in the same way. It may outlive the plan and the source.
///
/// `input` is a tilewright_gemm_input. Fails with one of:
///   - TILEWRIGHT_NULL_OBJECT, TILEWRIGHT_FOREIGN_OBJECT: a handle is null or belongs to another context or device
///   - TILEWRIGHT_INVALID_BUFFER, TILEWRIGHT_BUFFER_TOO_SMALL: `source` cannot be read, or is too short
///   - TILEWRIGHT_INVALID_OFFSET: the offset breaks the promise of the problem's offset_alignment
///   - TILEWRIGHT_INVALID_BATCH: the plan's batch is by offsets
///   - TILEWRIGHT_UNSUITABLE_PACKED_MATRIX: the plan's type is complex: such plans prepare their operands in each call
///   - TILEWRIGHT_FAILED_WAIT: an event in `waits` has already failed
///   - TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_packed_matrix_create(const tilewright_plan* plan, int32_t input,
                                                                   cl_command_queue queue,
                                                                   const tilewright_matrix* source, cl_uint num_waits,
                                                                   const cl_event* waits,
                                                                   tilewright_packed_matrix** packed);

/// Adds a reference.
TILEWRIGHT_C_API tilewright_status tilewright_packed_matrix_retain(tilewright_packed_matrix* packed);

/// Returns a reference; null is ignored. Calls that were enqueued finish all the same.
TILEWRIGHT_C_API void tilewright_packed_matrix_release(tilewright_packed_matrix* packed);

/// Writes an event that completes when the source is no longer read to `event`. The caller releases it.
TILEWRIGHT_C_API tilewright_status tilewright_packed_matrix_ready(const tilewright_packed_matrix* packed,
                                                                  cl_event* event);

/// Writes the bytes of device memory that the packed matrix holds to `bytes`.
TILEWRIGHT_C_API tilewright_status tilewright_packed_matrix_bytes(const tilewright_packed_matrix* packed,
                                                                  uint64_t* bytes);

#ifdef __cplusplus
}
#endif
