// The library's JSON, in a namespace of its own for the same reason as in runtime/device/opencl_bindings.hpp: a program
// may use another version of it, or one without exceptions.
#pragma once

#if defined(INCLUDE_NLOHMANN_JSON_HPP_)
#error "include selection/json.hpp instead of nlohmann/json.hpp, which is another library's here"
#endif
#define nlohmann tilewright_nlohmann
#include <nlohmann/json.hpp>
#undef nlohmann

namespace tilewright {
namespace nlohmann = ::tilewright_nlohmann;
}
