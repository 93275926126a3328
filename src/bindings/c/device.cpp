#include "tilewright/c/device.h"

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"

using namespace tilewright;

tilewright_status tilewright_list_devices(char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    c::Json devices = c::Json::array();
    for (const Device& device : list_devices()) {
      c::Json json{{"index", device.index()}};
      json.update(c::to_json(device.profile));
      devices.push_back(std::move(json));
    }
    *text = c::owned_text(devices);
  });
}

tilewright_status tilewright_pick_device(const char* wanted, cl_device_id* device) {
  return c::guarded([&] {
    c::expect_argument(device, "device");
    *device = pick_device(c::text_or_empty(wanted)).id;
  });
}

tilewright_status tilewright_device_info(cl_device_id device, char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    *text = c::owned_text(c::to_json(describe_device(device)));
  });
}
