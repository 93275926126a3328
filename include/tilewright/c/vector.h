// Vector operations that plan and enqueue in one call.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Computes a function of vectors: `function` is a tilewright_vector_function, such as TILEWRIGHT_AXPY. Plans and
/// enqueues in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its launches. Fails
/// as tilewright_vector_plan_create() and tilewright_vector_enqueue() do.
///
/// Accuracy, with u the roundoff of the accumulator's type and gamma(n) = n u / (1 - n u): copy and swap are exact.
/// Each element of axpy, axpby, scal and hadamard has at most three roundings. For dot, dotc see tilewright_summation.
/// asum and the sum in nrm2 have a relative error of at most gamma(n), or gamma(2 n) for complex numbers; nrm2 neither
/// overflows nor underflows before its result does. iamax writes the index of the first largest element, counted from
/// 0, as a 64-bit integer.
TILEWRIGHT_C_API tilewright_status tilewright_vector(const tilewright_engine* engine, cl_command_queue queue,
                                                     int32_t function, const tilewright_vector_problem* problem,
                                                     const tilewright_vector_operands* operands, cl_uint num_waits,
                                                     const cl_event* waits, cl_event* event);

#ifdef __cplusplus
}
#endif
