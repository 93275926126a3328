// Counts the memory of buffers and images for max_memory().
#pragma once

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

namespace tilewright::faults {

/// A buffer or image was created.
void note_memory_made(cl_mem memory);

/// One reference to a buffer or image is about to be released.
void note_memory_released(cl_mem memory);

}  // namespace tilewright::faults
