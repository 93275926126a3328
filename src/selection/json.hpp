// The library's JSON parser, in a namespace of its own.
// A program may use another version of the parser, or one without exceptions: see runtime/device/opencl_bindings.hpp.
#pragma once

#if defined(INCLUDE_NLOHMANN_JSON_HPP_)
#error "include selection/json.hpp instead of nlohmann/json.hpp, whose settings differ"
#endif
#define nlohmann tilewright_nlohmann
#include <nlohmann/json.hpp>
#undef nlohmann

namespace tilewright {
namespace nlohmann = ::tilewright_nlohmann;
}
