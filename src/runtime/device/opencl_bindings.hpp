// CLHPP as the library uses it, in the one place that includes it.
#pragma once

#if defined(CL_HPP_)
#error "include runtime/device/opencl.hpp instead of CL/opencl.hpp, which is another library's here"
#endif
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS

// In a namespace of its own. A program that uses CLHPP with other settings has functions of the same names that do
// otherwise, do not throw for example, and the linker keeps one of each.
#define cl tilewright_cl
#include <CL/opencl.hpp>
#undef cl

namespace tilewright {
namespace cl = ::tilewright_cl;
}
