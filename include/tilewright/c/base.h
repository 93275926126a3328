// Handles and basic types of the C interface.
#pragma once

#include <CL/cl.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "Tilewright's C interface needs 64-bit pointers"
#endif

/// Exports a function of the C library.
#if defined(__GNUC__)
#define TILEWRIGHT_C_API __attribute__((visibility("default")))
#else
#define TILEWRIGHT_C_API
#endif

/// The value that means 0 in 64-bit members whose text names it, such as the number of problems in a batch. In them 0
/// means the default.
#define TILEWRIGHT_ZERO UINT64_MAX
/// The value that means 0 in 32-bit members whose text names it, such as a number of threads.
#define TILEWRIGHT_ZERO_32 UINT32_MAX

#ifdef __cplusplus
extern "C" {
#endif

/// One of tilewright_status_code: TILEWRIGHT_SUCCESS, or why a call failed.
typedef int32_t tilewright_status;

/// The library's state for one device of one context: compiled programs, probes and recent plans.
typedef struct tilewright_engine tilewright_engine;

/// A problem of one operation with its kernels compiled and its launches prepared.
typedef struct tilewright_plan tilewright_plan;

/// A copy of A or B of a matrix product in the form that a plan's kernel reads.
typedef struct tilewright_packed_matrix tilewright_packed_matrix;

/// A product of matrices in host memory with its schedule and compiled kernels.
typedef struct tilewright_host_plan tilewright_host_plan;

/// Devices of one host that compute products of matrices in host memory together.
typedef struct tilewright_group tilewright_group;

/// The first element of a matrix or vector in device memory. This struct never changes.
typedef struct tilewright_matrix {
  cl_mem buffer;    ///< a buffer or sub-buffer of the engine's context
  uint64_t offset;  ///< elements from the start of the buffer
} tilewright_matrix;

/// Device memory that the caller lends to one call, until the call's event completes. This struct never changes.
typedef struct tilewright_workspace {
  cl_mem buffer;    ///< null: the call uses the engine's shared workspace
  uint64_t offset;  ///< bytes from the start of the buffer, a multiple of 256
} tilewright_workspace;

/// A kernel variant and values of its parameters. The library chooses what is not given.
typedef struct tilewright_choice {
  uint32_t struct_size;       ///< sizeof(tilewright_choice)
  uint32_t reserved1;         ///< must be 0
  const char* variant;        ///< name of a variant; null or empty: the library chooses
  const char* configuration;  ///< parameters such as "tile_m=64,tile_n=32"; null or empty: the library chooses
} tilewright_choice;

#ifdef __cplusplus
}
#endif
