// The library's version, errors, texts and log.
#pragma once

#include "tilewright/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the version of the library, such as "0.1.0".
TILEWRIGHT_C_API const char* tilewright_version(void);

/// Returns the name of a status, such as "invalid_batch"; "unknown" for a number that is no status.
TILEWRIGHT_C_API const char* tilewright_status_name(tilewright_status status);

/// The last failure of a thread. The texts are valid until the next failing call in the same thread.
typedef struct tilewright_error {
  uint32_t struct_size;      ///< sizeof(tilewright_error), set by the caller
  int32_t status;            ///< a tilewright_status; TILEWRIGHT_SUCCESS if no call has failed yet
  int32_t operand;           ///< the operand that is wrong (tilewright_operand_name), or TILEWRIGHT_OPERAND_NONE
  int32_t opencl_status;     ///< the status of the OpenCL call that failed, or CL_SUCCESS if none failed
  const char* message;       ///< the text: the fault, the expected value and a remedy
  const char* operand_name;  ///< the operand's name, such as "A" or "pivots"; "" if no single operand is wrong
} tilewright_error;

/// Writes the last failure of the calling thread to `error`. A successful call does not change it. Returns
/// TILEWRIGHT_INVALID_ARGUMENT if `error` is null, and TILEWRIGHT_UNSUPPORTED_STRUCT for a wrong struct_size; neither
/// becomes the last failure.
TILEWRIGHT_C_API tilewright_status tilewright_last_error(tilewright_error* error);

/// Returns the message of the last failure of the calling thread; "" if there is none. It is valid until the next
/// failing call in the same thread.
TILEWRIGHT_C_API const char* tilewright_last_message(void);

/// Writes the path of the OpenCL library whose functions are called to `text`. A program that opens OpenCL at run time
/// needs that one, because handles of two libraries do not mix. Fails with TILEWRIGHT_NO_PLATFORM if no library can be
/// used.
TILEWRIGHT_C_API tilewright_status tilewright_opencl_library(char** text);

/// Releases a text that a function returned. Null is ignored.
TILEWRIGHT_C_API void tilewright_text_release(char* text);

/// Receives a message of the library. May be called from any thread, and may use the library. `message` is valid during
/// the call. `user` is the pointer that was set together with the function. Both must stay valid until they are
/// replaced and all calls that began before have returned.
typedef void (*tilewright_log_function)(const char* message, void* user);

/// Sets the function for warnings in the whole process. Null, the default, drops warnings.
TILEWRIGHT_C_API tilewright_status tilewright_set_log_callback(tilewright_log_function function, void* user);

/// Sets the function for debug messages in the whole process, such as why a program was not found in the cache. Null,
/// the default, drops them.
TILEWRIGHT_C_API tilewright_status tilewright_set_debug_callback(tilewright_log_function function, void* user);

#ifdef __cplusplus
}
#endif
