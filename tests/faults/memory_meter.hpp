// Counts the memory of buffers and images for max_memory().
#pragma once

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

namespace tilewright::faults {

/// Records the creation of a buffer or image.
void note_memory_made(cl_mem memory);

/// Records that one reference to a buffer or image is about to be released.
void note_memory_released(cl_mem memory);

}  // namespace tilewright::faults
