// Engines: the library's state for one device of one context.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes an engine for a device in the caller's context. Keep it: it holds compiled programs and recent plans. The
/// engine retains the context. Drivers do not survive fork(): in a child process an engine of the parent fails with
/// TILEWRIGHT_DEVICE_LOST.
/// Fails with TILEWRIGHT_NULL_OBJECT for a null handle, and TILEWRIGHT_FOREIGN_OBJECT if the context does not contain
/// the device.
TILEWRIGHT_C_API tilewright_status tilewright_engine_create(cl_context context, cl_device_id device,
                                                            tilewright_engine** engine);

/// Makes an engine with a context of its own. tilewright_engine_context() returns the context, in which the caller
/// makes queues and buffers. Fails with TILEWRIGHT_NULL_OBJECT, TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY or
/// TILEWRIGHT_OPENCL_FAILURE.
TILEWRIGHT_C_API tilewright_status tilewright_engine_create_for_device(cl_device_id device, tilewright_engine** engine);

/// Makes an engine for the context and device of a queue. Fails with TILEWRIGHT_NULL_OBJECT.
TILEWRIGHT_C_API tilewright_status tilewright_engine_from_queue(cl_command_queue queue, tilewright_engine** engine);

/// Adds a reference.
TILEWRIGHT_C_API tilewright_status tilewright_engine_retain(tilewright_engine* engine);

/// Returns a reference; null is ignored. Plans and packed matrices keep what they need of their engine.
TILEWRIGHT_C_API void tilewright_engine_release(tilewright_engine* engine);

/// Writes the engine's context to `context`. It is valid while the engine exists; no reference is added.
TILEWRIGHT_C_API tilewright_status tilewright_engine_context(const tilewright_engine* engine, cl_context* context);

/// Writes the engine's device to `device`. It is valid while the engine exists; no reference is added.
TILEWRIGHT_C_API tilewright_status tilewright_engine_device(const tilewright_engine* engine, cl_device_id* device);

/// Finds out whether the device has an ability, a tilewright_ability. The first call builds and runs a small kernel;
/// later calls return the remembered outcome. Writes a JSON object to `text`: `available`, `value` (a size, for
/// abilities that have one) and `detail` (why the ability is missing, or a description).
TILEWRIGHT_C_API tilewright_status tilewright_engine_probe(const tilewright_engine* engine, int32_t ability,
                                                           char** text);

/// Saves the programs that were enqueued and are not in the cache yet. Most drivers save a program at its first launch.
/// With PoCL, programs are saved by this call, or when the last reference to the engine and its plans is returned. A
/// program that cannot be saved is skipped.
TILEWRIGHT_C_API tilewright_status tilewright_engine_save_programs(const tilewright_engine* engine);

/// Writes the counters of compiled, loaded and saved programs to `statistics`, whose struct_size the caller sets.
TILEWRIGHT_C_API tilewright_status tilewright_engine_program_statistics(const tilewright_engine* engine,
                                                                        tilewright_program_statistics* statistics);

#ifdef __cplusplus
}
#endif
