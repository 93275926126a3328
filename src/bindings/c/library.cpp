#include "tilewright/c/library.h"

#include <string>

#include "bindings/c/conversions.hpp"
#include "bindings/c/guard.hpp"
#include "bindings/opencl/functions.hpp"
#include "tilewright/error.hpp"
#include "tilewright/log.hpp"
#include "tilewright/version.hpp"

namespace {

using namespace tilewright;

LogCallback callback_of(tilewright_log_function function, void* user) {
  if (function == nullptr) return {};
  return [function, user](std::string_view message) { function(std::string(message).c_str(), user); };
}

}  // namespace

const char* tilewright_version() {
  static_assert(!version.empty());
  return version.data();  // a string literal
}

tilewright_status tilewright_opencl_library(char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    const std::string path = opencl::path();
    if (path.empty()) throw Error(ErrorCode::no_platform, opencl::problem());
    *text = c::owned_text(path);
  });
}

const char* tilewright_status_name(tilewright_status status) { return c::status_name(status); }

tilewright_status tilewright_set_log_callback(tilewright_log_function function, void* user) {
  return c::guarded([&] { set_log_callback(callback_of(function, user)); });
}

tilewright_status tilewright_set_debug_callback(tilewright_log_function function, void* user) {
  return c::guarded([&] { set_debug_callback(callback_of(function, user)); });
}
