// Plans of products of a sparse and a dense matrix.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/sparse.h"
#include "tilewright/c/generated/spmm.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a plan of C = alpha op(A) B + beta C with a sparse A. Reads the structure to the host after `waits`, which
/// blocks, validates it as its member `check` says, compiles the kernels, and keeps a copy of the structure on the
/// device. The caller's buffers are not used afterwards. `plan` receives the plan with one reference. Enqueue products
/// with tilewright_spmm_enqueue().
///
/// Accuracy: |C' - C| <= gamma(r + 2) |alpha| |op(A)| |B| + gamma(2) |beta| |C| element by element, where r is the
/// number of stored elements in the row. Here gamma(i) = i u / (1 - i u), and u is the roundoff of the type. The same
/// plan gives the same bits every time. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
/// section 3.1.
///
/// Fails with one of:
///   - TILEWRIGHT_UNSUPPORTED_TYPE: the device or the operation lacks `type`
///   - TILEWRIGHT_INVALID_LEADING_DIMENSION: ldb or ldc is smaller than a row (or column) of its matrix
///   - TILEWRIGHT_INVALID_BATCH: a stride belongs to an operand that spmm does not have
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: stride_c makes matrices C share elements
///   - TILEWRIGHT_SIZE_OVERFLOW: a size does not fit into 64 bits or into the index type
///   - TILEWRIGHT_INVALID_STRUCTURE: the structure is invalid; the message names the row or column and the position
///   - TILEWRIGHT_NULL_OBJECT, TILEWRIGHT_FOREIGN_OBJECT, TILEWRIGHT_INVALID_BUFFER, TILEWRIGHT_BUFFER_TOO_SMALL: a
///     buffer of the structure cannot be read, or is too short
///   - TILEWRIGHT_UNKNOWN_VARIANT, TILEWRIGHT_UNKNOWN_PARAMETER, TILEWRIGHT_UNSUPPORTED_VARIANT,
///     TILEWRIGHT_INVALID_CONFIGURATION: `choice` names no variant or parameter, or one that cannot compute this
///     problem
///   - TILEWRIGHT_FAILED_WAIT: an event in `waits` has already failed
///   - TILEWRIGHT_BUILD_FAILED: the driver rejected a kernel; the message holds the end of its log
///   - TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_spmm_plan_create(const tilewright_engine* engine,
                                                               const tilewright_spmm_problem* problem,
                                                               const tilewright_sparse_structure* structure,
                                                               const tilewright_choice* choice, cl_uint num_waits,
                                                               const cl_event* waits, tilewright_plan** plan);

/// Writes the statistics of the rows of op(A) to `statistics`, whose struct_size the caller sets. Fails with
/// TILEWRIGHT_INVALID_ARGUMENT if `plan` is no plan of a sparse product.
TILEWRIGHT_C_API tilewright_status tilewright_spmm_plan_statistics(const tilewright_plan* plan,
                                                                   tilewright_row_statistics* statistics);

/// Writes the bytes of device memory that the plan keeps for the structure to `bytes`. Fails with
/// TILEWRIGHT_INVALID_ARGUMENT if `plan` is no plan of a sparse product.
TILEWRIGHT_C_API tilewright_status tilewright_spmm_plan_structure_bytes(const tilewright_plan* plan, uint64_t* bytes);

#ifdef __cplusplus
}
#endif
