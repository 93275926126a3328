// Plans of all operations, the choice of kernels, and explanations of it.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/gemm_memory.h"
#include "tilewright/c/generated/gemm_problem.h"
#include "tilewright/c/generated/gemv.h"
#include "tilewright/c/generated/strassen.h"
#include "tilewright/c/generated/transpose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds a reference.
TILEWRIGHT_C_API tilewright_status tilewright_plan_retain(tilewright_plan* plan);

/// Returns a reference; null is ignored. Calls that were enqueued finish all the same.
TILEWRIGHT_C_API void tilewright_plan_release(tilewright_plan* plan);

/// Writes the bytes of device memory that a call of the plan needs besides its operands to `bytes`.
TILEWRIGHT_C_API tilewright_status tilewright_plan_workspace_bytes(const tilewright_plan* plan, uint64_t* bytes);

/// Writes which kernels the plan runs, and why, to `text`. The text is a JSON object with
///   - `problem`, `variant`, `configuration` (an object of numbers) and `reason`
///   - `candidates`: an array of objects with `variant`, `configuration`, `supported` and `reason`; empty for a plan
///   - `parts`: an array of objects like this one, for the operations that this one consists of
TILEWRIGHT_C_API tilewright_status tilewright_plan_explain(const tilewright_plan* plan, char** text);

/// Writes the variants of an operation ("gemm", "transpose" or "spmm") to `text`, from the simplest to the fastest. The
/// text is a JSON array of objects with
///   - `name` and `summary`
///   - `parameters`: an array of objects with `name`, `meaning` and `values`
///   - `strategies`: an array of changes to the default configuration that show other strategies of the variant
///
/// Fails with TILEWRIGHT_INVALID_ARGUMENT for another operation.
TILEWRIGHT_C_API tilewright_status tilewright_list_variants(const char* operation, char** text);

/// Explains which kernels tilewright_gemm() would run on a device, and why. Compiles nothing. `text` receives JSON as
/// from tilewright_plan_explain(), with every variant as a candidate. Fails as tilewright_gemm_plan_create() does.
TILEWRIGHT_C_API tilewright_status tilewright_explain_gemm(cl_device_id device, const tilewright_gemm_problem* problem,
                                                           const tilewright_choice* choice, char** text);

/// Explains tilewright_gemv() as tilewright_explain_gemm() explains a product.
TILEWRIGHT_C_API tilewright_status tilewright_explain_gemv(cl_device_id device, const tilewright_gemv_problem* problem,
                                                           const tilewright_choice* choice, char** text);

/// Explains tilewright_ger() as tilewright_explain_gemm() explains a product.
TILEWRIGHT_C_API tilewright_status tilewright_explain_ger(cl_device_id device, const tilewright_ger_problem* problem,
                                                          const tilewright_choice* choice, char** text);

/// Explains tilewright_transpose() as tilewright_explain_gemm() explains a product.
TILEWRIGHT_C_API tilewright_status tilewright_explain_transpose(cl_device_id device,
                                                                const tilewright_transpose_problem* problem,
                                                                const tilewright_choice* choice, char** text);

/// Explains tilewright_strassen(): the number of levels, and the small products as `parts`.
TILEWRIGHT_C_API tilewright_status tilewright_explain_strassen(cl_device_id device,
                                                               const tilewright_strassen_problem* problem,
                                                               const tilewright_choice* choice, char** text);

/// Writes the device memory that a plan of a product would take to `memory`, whose struct_size the caller sets.
/// Compiles nothing, but may probe the device. Fails as tilewright_gemm_plan_create() does.
TILEWRIGHT_C_API tilewright_status tilewright_gemm_memory_of(const tilewright_engine* engine,
                                                             const tilewright_gemm_problem* problem,
                                                             const tilewright_choice* choice,
                                                             tilewright_gemm_memory* memory);

/// Writes the expected seconds of one call of tilewright_gemm() to `seconds`, from tuning records and the performance
/// model; 0 if neither knows the device. Compiles and measures nothing. Fails as tilewright_gemm_plan_create() does.
TILEWRIGHT_C_API tilewright_status tilewright_gemm_seconds(cl_device_id device, const tilewright_gemm_problem* problem,
                                                           const tilewright_choice* choice, double* seconds);

/// Returns the factor f of Strassen's error bound |C' - C| <= f u |A| |B|, to first order in u, the roundoff. |X| is
/// the magnitude of the largest element of X. f is 18^levels (k0^2 + 6 k0) - 6 k, where k0 is k halved `levels` times,
/// and k^2 for level 0. It is infinite if it is too large for a double. Source: Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd ed., theorem 23.3.
TILEWRIGHT_C_API double tilewright_strassen_error_factor(uint64_t k, uint32_t levels);

#ifdef __cplusplus
}
#endif
