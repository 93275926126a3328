// Output for programs: valid UTF-8 JSON, one object per line unless a command documents otherwise.
#pragma once

#include <string>

#include "selection/json.hpp"
#include "tilewright/device.hpp"

namespace tilewright::tool {

using Json = nlohmann::ordered_json;

/// Returns the JSON on one line, including the line break. Invalid UTF-8 bytes are replaced; numbers that JSON lacks
/// become null.
std::string json_line(const Json& json);

/// Prints one line on standard output and flushes it. Throws std::runtime_error if writing fails.
void print_json(const Json& json);

/// Adds the keys that identify the device: "device", "device_index", "platform" and "driver".
void add_device(Json& line, const Device& device);

}  // namespace tilewright::tool
