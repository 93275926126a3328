// Products of matrices in host memory that may be larger than the device's memory.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/gemm_problem.h"
#include "tilewright/c/generated/out_of_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Functions of the caller that run in the calling thread while the device works. Each may be null.
typedef struct tilewright_out_of_core_callbacks {
  uint32_t struct_size;  ///< sizeof(tilewright_out_of_core_callbacks)
  uint32_t reserved1;    ///< must be 0
  void* user;            ///< passed to each function
  /// Called repeatedly with how far the product has come. A result other than 0 cancels the product.
  int32_t (*progress)(const tilewright_out_of_core_progress* progress, void* user);
  /// Called once for each tile of C when it is complete.
  void (*tile_done)(const tilewright_result_tile* tile, void* user);
  /// Called once for each tile before it is started. A result other than 0 means that C already holds the tile, which
  /// is then left out.
  int32_t (*has_tile)(const tilewright_result_tile* tile, void* user);
} tilewright_out_of_core_callbacks;

/// Makes a plan of a product of matrices in host memory: chooses a schedule and compiles its kernels. Measures the
/// device's speeds if the options hold none and none are stored, which takes up to a second. The problem is one product
/// of f32 or f64 without an epilogue; its offset_alignment is ignored. `options` may be null.
///
/// Fails with one of:
///   - TILEWRIGHT_UNSUPPORTED_TYPE: the type is neither f32 nor f64, or C has another type, or there is an epilogue
///   - TILEWRIGHT_INVALID_BATCH: the problem is a batch
///   - TILEWRIGHT_INVALID_LEADING_DIMENSION: a leading dimension is smaller than a row (or column) of its matrix
///   - TILEWRIGHT_SIZE_OVERFLOW: a matrix has more bytes than 64-bit offsets can address
///   - TILEWRIGHT_UNKNOWN_VARIANT, TILEWRIGHT_UNKNOWN_PARAMETER, TILEWRIGHT_UNSUPPORTED_VARIANT: `choice` of the
///     options is wrong for the products of the tiles
///   - TILEWRIGHT_INVALID_CONFIGURATION: a speed is negative or not finite, `choice` has an invalid value, or the
///     device cannot allocate tiles of these sizes
///   - TILEWRIGHT_OUT_OF_MEMORY: `memory` of the options is too small; the message holds the least that suffices
///   - TILEWRIGHT_BUILD_FAILED, TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_host_plan_create(const tilewright_engine* engine,
                                                               const tilewright_gemm_problem* problem,
                                                               const tilewright_out_of_core_options* options,
                                                               tilewright_host_plan** plan);

/// Adds a reference.
TILEWRIGHT_C_API tilewright_status tilewright_host_plan_retain(tilewright_host_plan* plan);

/// Returns a reference; null is ignored.
TILEWRIGHT_C_API void tilewright_host_plan_release(tilewright_host_plan* plan);

/// Computes C = alpha op(A) op(B) + beta C and returns when C is complete. Uses queues of its own, and memory that the
/// plan keeps. Run a plan from one thread at a time. `callbacks` may be null. `progress`, which may be null, receives
/// how far the call came; the caller sets its struct_size.
///
/// Accuracy: |C' - C| <= gamma(k + 2) |alpha| |A| |B| + gamma(s + 1) |beta| |C| element by element, where s is the
/// number of slabs along k, tiles_k of tilewright_host_plan_explain().
///
/// If the product is cancelled or fails, each tile of C is complete or unchanged, and tile_done() was called for each
/// complete tile. The only exception is a device that fails while it writes to C; the message then names the tiles
/// whose content is unspecified.
///
/// Fails with one of the following; tilewright_last_error() names the operand:
///   - TILEWRIGHT_CANCELLED: progress() asked for it
///   - TILEWRIGHT_NULL_OBJECT: a matrix that is read or written is null
///   - TILEWRIGHT_INVALID_OFFSET: a pointer is not aligned to the element type
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: C shares elements with A, B or c_in
///   - TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_host_plan_run(const tilewright_host_plan* plan,
                                                            const tilewright_host_operands* operands,
                                                            const tilewright_out_of_core_callbacks* callbacks,
                                                            tilewright_out_of_core_progress* progress);

/// Writes the plan's schedule and kernels to `text`, as a JSON object: `schedule` (tiles, memory in bytes, predicted
/// bytes and seconds of each step) and `explanation`, as from tilewright_plan_explain().
TILEWRIGHT_C_API tilewright_status tilewright_host_plan_explain(const tilewright_host_plan* plan, char** text);

/// Plans and runs a product of matrices in host memory in one call. Returns when C is complete. Fails as
/// tilewright_host_plan_create() and tilewright_host_plan_run() do.
TILEWRIGHT_C_API tilewright_status tilewright_gemm_out_of_core(const tilewright_engine* engine,
                                                               const tilewright_gemm_problem* problem,
                                                               const tilewright_host_operands* operands,
                                                               const tilewright_out_of_core_options* options,
                                                               const tilewright_out_of_core_callbacks* callbacks,
                                                               tilewright_out_of_core_progress* progress);

/// Writes the smallest `memory` of the options with which a product can be computed to `bytes`. Fails as
/// tilewright_host_plan_create() does.
TILEWRIGHT_C_API tilewright_status tilewright_min_memory_out_of_core(const tilewright_engine* engine,
                                                                     const tilewright_gemm_problem* problem,
                                                                     const tilewright_out_of_core_options* options,
                                                                     uint64_t* bytes);

/// Writes the speeds of the engine's device for products of a type, TILEWRIGHT_F32 or TILEWRIGHT_F64, to `speeds`,
/// whose struct_size the caller sets. The first call measures them, which takes up to a second and up to 256 MiB of
/// device memory. They are stored next to the device's tuning records. Fails with TILEWRIGHT_UNSUPPORTED_TYPE,
/// TILEWRIGHT_BUILD_FAILED, TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_DEVICE_LOST or TILEWRIGHT_OPENCL_FAILURE.
TILEWRIGHT_C_API tilewright_status tilewright_measure_transfer_speeds(const tilewright_engine* engine, int32_t type,
                                                                      tilewright_transfer_speeds* speeds);

#ifdef __cplusplus
}
#endif
