// The only include of CLHPP, with the library's settings.
#pragma once

#if defined(CL_HPP_)
#error "include runtime/device/opencl.hpp instead of CL/opencl.hpp, whose settings differ"
#endif
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS

// A namespace of its own avoids clashes. A program may include CLHPP with other settings, so that functions of equal
// names differ, for example in whether they throw. The linker would keep only one of each.
#define cl tilewright_cl
#include <CL/opencl.hpp>
#undef cl

namespace tilewright {
namespace cl = ::tilewright_cl;
}
