// A library with the functions of an OpenCL loader, of which each fails with CL_INVALID_DEVICE. Weak, so that another
// source of the library can define some of them.
#include "bindings/opencl/functions.hpp"

// The declarations of CL/cl.h have other types, so these definitions get their names in assembly language.
#define TILEWRIGHT_STUB(name)                                  \
  extern "C" [[gnu::weak]] cl_int stub_of_##name() asm(#name); \
  cl_int stub_of_##name() { return CL_INVALID_DEVICE; }
TILEWRIGHT_OPENCL_FUNCTIONS(TILEWRIGHT_STUB)
