// Matrix times vector, y = alpha op(A) x + beta y, and the outer product of two vectors, A = alpha x y^T + A. Generated
// by tools/write-c-api.py from tilewright/gemv.hpp.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A product of a matrix and a vector, y = alpha op(A) x + beta y, or a batch of such products.
///
/// A is m x n, as in BLAS. Without a transpose x has n elements and y has m; with a transpose x has m and y has n. All
/// sizes, increments, leading dimensions, strides and offsets count elements.
///
/// With a negative increment a vector is stored backwards, as in BLAS: element i of x is (length - 1 - i) * |incx|
/// elements after the offset of x. Such a vector is copied to the workspace before the product, and y also back.
typedef struct tilewright_gemv_problem {
  uint32_t struct_size;  ///< sizeof(tilewright_gemv_problem)
  /// element type of A and x: any that tilewright_gemm() multiplies (tilewright_data_type; 0: TILEWRIGHT_F32)
  int32_t type;
  /// element type of y: `type` or the accumulator type; unset: i32 for i8 and u8, otherwise `type`
  /// (tilewright_data_type; 0: not set)
  int32_t type_y;
  int32_t layout;      ///< storage order of A (tilewright_layout; 0: TILEWRIGHT_ROW_MAJOR)
  int32_t trans;       ///< op(A) = A, A^T or A^H (tilewright_trans; 0: TILEWRIGHT_NO_TRANS)
  uint32_t reserved1;  ///< must be 0
  uint64_t m;          ///< rows of A
  uint64_t n;          ///< columns of A
  uint64_t lda;        ///< leading dimension of A; 0 means densely stored
  int64_t incx;        ///< elements from one element of x to the next (0: 1)
  int64_t incy;        ///< elements from one element of y to the next (0: 1)
  /// A promise that the offsets of A, x and y are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. tilewright_gemv_enqueue() rejects offsets that break it; tilewright_gemv() lowers it
  /// automatically. (0: 16)
  uint64_t offset_alignment;
  /// number of products, and the distances between consecutive A, x and y; 0 shares A or x (null: one problem)
  const tilewright_batch* batch;
} tilewright_gemv_problem;

/// The data of one call. Scalars are rounded to the accumulator type.
typedef struct tilewright_gemv_operands {
  uint32_t struct_size;  ///< sizeof(tilewright_gemv_operands)
  uint32_t reserved1;    ///< must be 0
  const double* alpha;   ///< 0: A and x are not read and may be null (null: 1; c64 and c128: two numbers)
  tilewright_matrix a;   ///< the matrix; not read if x has no elements
  tilewright_matrix x;   ///< the vector that A multiplies
  const double* beta;    ///< 0: y is not read (null: 0; c64 and c128: two numbers)
  tilewright_matrix y;   ///< the result; shares no elements with A or x
  /// Device memory for this call alone, at least tilewright_plan_workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  tilewright_workspace workspace;
} tilewright_gemv_operands;

/// Makes a plan: `plan` receives it with one reference, which tilewright_plan_release() returns. Compiles the kernels,
/// or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm. `choice` selects the variant of
/// tilewright_gemm(); by default the library chooses.
///
/// Fails with one of:
///   - TILEWRIGHT_UNSUPPORTED_TYPE: the device lacks `type`, or tilewright_gemm() has no products of it
///   - TILEWRIGHT_UNKNOWN_VARIANT, TILEWRIGHT_UNKNOWN_PARAMETER, TILEWRIGHT_INVALID_CONFIGURATION,
///     TILEWRIGHT_UNSUPPORTED_VARIANT: `choice` is invalid, or cannot compute this problem on this device
///   - TILEWRIGHT_INVALID_LEADING_DIMENSION: lda is smaller than a row (or column) of A
///   - TILEWRIGHT_INVALID_OFFSET: offset_alignment is no power of two
///   - TILEWRIGHT_INVALID_BATCH: a stride belongs to an operand that gemv does not have
///   - TILEWRIGHT_SIZE_OVERFLOW: a size in bytes does not fit into 64 bits
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: the batch strides make vectors y share elements
///   - TILEWRIGHT_OUT_OF_MEMORY: the device cannot allocate the workspace
///   - TILEWRIGHT_BUILD_FAILED: the driver rejected a kernel; the message holds the end of its log
TILEWRIGHT_C_API tilewright_status tilewright_gemv_plan_create(const tilewright_engine* engine,
                                                               const tilewright_gemv_problem* problem,
                                                               const tilewright_choice* choice, tilewright_plan** plan);

/// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order. Never
/// blocks and never allocates device memory. `event` receives an event that covers all work of the call, unless `event`
/// is null.
///
/// All arguments are checked, A before x before y before the workspace, before anything is enqueued. Fails with one of
/// the following; tilewright_last_error() names the operand:
///   - TILEWRIGHT_NULL_OBJECT, TILEWRIGHT_FOREIGN_OBJECT: a handle is null or belongs to another context
///   - TILEWRIGHT_INVALID_SCALAR: alpha or beta does not suit the type
///   - TILEWRIGHT_INVALID_OFFSET: an offset breaks the promise of offset_alignment
///   - TILEWRIGHT_INVALID_BUFFER, TILEWRIGHT_BUFFER_TOO_SMALL: a buffer cannot be read or written as needed, or is too
///     short
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: y shares elements with A or x
///   - TILEWRIGHT_INVALID_WORKSPACE, TILEWRIGHT_WORKSPACE_TOO_SMALL, TILEWRIGHT_OVERLAPPING_WORKSPACE
///   - TILEWRIGHT_FAILED_WAIT: an event in `waits` has already failed
///   - TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_gemv_enqueue(const tilewright_plan* plan, cl_command_queue queue,
                                                           const tilewright_gemv_operands* operands, cl_uint num_waits,
                                                           const cl_event* waits, cl_event* event);

/// Computes y = alpha op(A) x + beta y. Plans and enqueues in one call; the engine keeps recent plans, so a repeated
/// problem costs a look-up and its launches. Fails as tilewright_gemv_plan_create() and tilewright_gemv_enqueue() do.
///
/// gemv is computed as a tilewright_gemm() with one column, and shares gemm's variants, records and tuning. Accuracy:
/// |y' - y| <= gamma(k + 2) |alpha||op(A)||x| + gamma(2) |beta||y| element by element, where k is the length of x. Sums
/// of i8 and u8 are exact modulo 2^32.
TILEWRIGHT_C_API tilewright_status tilewright_gemv(const tilewright_engine* engine, cl_command_queue queue,
                                                   const tilewright_gemv_problem* problem,
                                                   const tilewright_gemv_operands* operands,
                                                   const tilewright_choice* choice, cl_uint num_waits,
                                                   const cl_event* waits, cl_event* event);

/// An outer product that is added to a matrix, A = alpha x y^T + A or A = alpha x y^H + A, or a batch of them.
///
/// A is m x n, x has m elements and y has n. All sizes, increments, leading dimensions, strides and offsets count
/// elements. With a negative increment a vector is stored backwards, as in BLAS: element i of x is (m - 1 - i) * |incx|
/// elements after the offset of x. Such a vector is copied to the workspace before the product.
typedef struct tilewright_ger_problem {
  uint32_t struct_size;  ///< sizeof(tilewright_ger_problem)
  /// element type of A, x and y: f16, bf16, f32, f64, c64 or c128 (tilewright_data_type; 0: TILEWRIGHT_F32)
  int32_t type;
  int32_t layout;  ///< storage order of A (tilewright_layout; 0: TILEWRIGHT_ROW_MAJOR)
  int32_t conj_y;  ///< true: x y^H (BLAS's gerc); false: x y^T (BLAS's ger and geru) (0 or 1)
  uint64_t m;      ///< rows of A
  uint64_t n;      ///< columns of A
  int64_t incx;    ///< elements from one element of x to the next (0: 1)
  int64_t incy;    ///< elements from one element of y to the next (0: 1)
  uint64_t lda;    ///< leading dimension of A; 0 means densely stored
  /// A promise that the offsets of A, x and y are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. tilewright_ger_enqueue() rejects offsets that break it; tilewright_ger() lowers it
  /// automatically. (0: 16)
  uint64_t offset_alignment;
  /// number of products, and the distances between consecutive x, y and A; 0 shares x or y (null: one problem)
  const tilewright_batch* batch;
} tilewright_ger_problem;

/// The data of one call. The scalar is rounded to the accumulator type.
typedef struct tilewright_ger_operands {
  uint32_t struct_size;  ///< sizeof(tilewright_ger_operands)
  uint32_t reserved1;    ///< must be 0
  /// 0: A stays as it is, and x and y are not read and may be null (null: 1; c64 and c128: two numbers)
  const double* alpha;
  tilewright_matrix x;  ///< the column vector
  tilewright_matrix y;  ///< the vector that becomes a row
  tilewright_matrix a;  ///< the matrix that the product is added to; shares no elements with x or y
  /// Device memory for this call alone, at least tilewright_plan_workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  tilewright_workspace workspace;
} tilewright_ger_operands;

/// Makes a plan: `plan` receives it with one reference, which tilewright_plan_release() returns. Compiles the kernels,
/// or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm. `choice` selects the variant of
/// tilewright_gemm(); by default the library chooses.
///
/// Fails with one of:
///   - TILEWRIGHT_UNSUPPORTED_TYPE: the device lacks `type`, or it is an integer type
///   - TILEWRIGHT_UNKNOWN_VARIANT, TILEWRIGHT_UNKNOWN_PARAMETER, TILEWRIGHT_INVALID_CONFIGURATION,
///     TILEWRIGHT_UNSUPPORTED_VARIANT: `choice` is invalid, or cannot compute this problem on this device
///   - TILEWRIGHT_INVALID_LEADING_DIMENSION: lda is smaller than a row (or column) of A
///   - TILEWRIGHT_INVALID_OFFSET: offset_alignment is no power of two
///   - TILEWRIGHT_INVALID_BATCH: a stride belongs to an operand that ger does not have
///   - TILEWRIGHT_SIZE_OVERFLOW: a size in bytes does not fit into 64 bits
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: the batch strides make matrices A share elements
///   - TILEWRIGHT_OUT_OF_MEMORY: the device cannot allocate the workspace
///   - TILEWRIGHT_BUILD_FAILED: the driver rejected a kernel; the message holds the end of its log
TILEWRIGHT_C_API tilewright_status tilewright_ger_plan_create(const tilewright_engine* engine,
                                                              const tilewright_ger_problem* problem,
                                                              const tilewright_choice* choice, tilewright_plan** plan);

/// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order. Never
/// blocks and never allocates device memory. `event` receives an event that covers all work of the call, unless `event`
/// is null.
///
/// All arguments are checked, x before y before A before the workspace, before anything is enqueued. Fails with one of
/// the following; tilewright_last_error() names the operand:
///   - TILEWRIGHT_NULL_OBJECT, TILEWRIGHT_FOREIGN_OBJECT: a handle is null or belongs to another context
///   - TILEWRIGHT_INVALID_SCALAR: alpha has an imaginary part although the type is real
///   - TILEWRIGHT_INVALID_OFFSET: an offset breaks the promise of offset_alignment
///   - TILEWRIGHT_INVALID_BUFFER, TILEWRIGHT_BUFFER_TOO_SMALL: a buffer cannot be read or written as needed, or is too
///     short
///   - TILEWRIGHT_OVERLAPPING_OPERANDS: A shares elements with x or y
///   - TILEWRIGHT_INVALID_WORKSPACE, TILEWRIGHT_WORKSPACE_TOO_SMALL, TILEWRIGHT_OVERLAPPING_WORKSPACE
///   - TILEWRIGHT_FAILED_WAIT: an event in `waits` has already failed
///   - TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_ger_enqueue(const tilewright_plan* plan, cl_command_queue queue,
                                                          const tilewright_ger_operands* operands, cl_uint num_waits,
                                                          const cl_event* waits, cl_event* event);

/// Computes A = alpha x y^T + A, or A = alpha x y^H + A if `conj_y` is set. Plans and enqueues in one call; the engine
/// keeps recent plans, so a repeated problem costs a look-up and its launches. Fails as tilewright_ger_plan_create()
/// and tilewright_ger_enqueue() do.
///
/// ger is computed as a tilewright_gemm() with k = 1 and beta = 1, and shares gemm's variants, records and tuning.
/// Accuracy: |A' - A| <= gamma(3) |alpha||x||y|^T + gamma(2) |A| element by element.
TILEWRIGHT_C_API tilewright_status tilewright_ger(const tilewright_engine* engine, cl_command_queue queue,
                                                  const tilewright_ger_problem* problem,
                                                  const tilewright_ger_operands* operands,
                                                  const tilewright_choice* choice, cl_uint num_waits,
                                                  const cl_event* waits, cl_event* event);

#ifdef __cplusplus
}
#endif
