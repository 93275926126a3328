// Tilewright's C interface: OpenCL matrix kernels that adapt to the device they find.
//
// Rules that hold for all functions:
//
// - A function that can fail returns a tilewright_status: 0 (TILEWRIGHT_SUCCESS), or the reason. The text, the operand
//   and the OpenCL status of the last failure in the calling thread are in tilewright_last_error(). Besides the reasons
//   that a function lists, there are TILEWRIGHT_INVALID_ARGUMENT and TILEWRIGHT_UNSUPPORTED_STRUCT. A failed call
//   leaves its outputs unchanged, except that TILEWRIGHT_CANCELLED comes with the `report` or `progress` of the call.
// - Every struct begins with struct_size, which the caller sets to sizeof(the struct), also in structs that a function
//   writes. Set all other members to 0 first, for example with `tilewright_gemm_problem problem = {.struct_size =
//   sizeof problem};`. 0 and null mean the default of a member. A newer library reads the structs of an older header as
//   if they ended with zeros. An older library refuses a struct of a newer header only if a member that it does not
//   know is not 0. Sizes that no header has are refused.
// - Numbers of constants and the order of members never change. Both are only added to.
// - Scalars (`const double* alpha`) are read during the call. They point to one number, or to two, the real and the
//   imaginary part, if the element type of the problem is TILEWRIGHT_C64 or TILEWRIGHT_C128. Also a scalar that must be
//   real then has an imaginary part, which is 0.
// - Handles (tilewright_engine, tilewright_plan, ...) are immutable and count references. A function that makes one
//   returns it with one reference. _retain() adds one and _release() returns one; the last one frees the handle.
//   Handles may be used from many threads at once, except that a tilewright_host_plan runs in one thread at a time.
//   Null may be released.
// - A call is enqueued after the `num_waits` events in `waits`, on the queue that is passed. If `event` is not null, it
//   receives an OpenCL event that completes when the whole call has; release it with clReleaseEvent(). Without an event
//   a call is about 2 us shorter on NVIDIA GPUs.
// - A function that returns text (`char** text`) allocates it. Release it with tilewright_text_release(). Text is UTF-8
//   and ends with 0.
// - libOpenCL is opened when it is first needed: the file that the environment variable TILEWRIGHT_OPENCL_LIBRARY
//   names. If it is not set, the one that the process has already loaded, otherwise libOpenCL.so.1. Without it calls
//   fail with TILEWRIGHT_NO_PLATFORM, and the message says what to install. The next call looks for it again.
// - The library stays loaded until the process ends, also after dlclose(), because OpenCL may call it later.
// - The header includes CL/cl.h as the program has configured it: define CL_TARGET_OPENCL_VERSION, to 120 or more,
//   before.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/cache.h"
#include "tilewright/c/device.h"
#include "tilewright/c/device_group.h"
#include "tilewright/c/engine.h"
#include "tilewright/c/generated/all.h"
#include "tilewright/c/library.h"
#include "tilewright/c/out_of_core.h"
#include "tilewright/c/packed_matrix.h"
#include "tilewright/c/plan.h"
#include "tilewright/c/records.h"
#include "tilewright/c/spmm.h"
#include "tilewright/c/tune.h"
#include "tilewright/c/vector.h"
