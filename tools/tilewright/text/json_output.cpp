#include "text/json_output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>

#include "runtime/system/error_text.hpp"

namespace tilewright::tool {

std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

void print_json(const Json& json) {
  fmt::print("{}", json_line(json));
  if (std::fflush(stdout) != 0) throw std::runtime_error("writing the output failed: " + detail::error_text(errno));
}

void add_device(Json& line, const Device& device) {
  line["device"] = device.profile.name;
  line["device_index"] = device.index();
  line["platform"] = device.profile.platform_name;
  line["driver"] = device.profile.driver_version;
}

}  // namespace tilewright::tool
