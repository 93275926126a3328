// Output for programs: JSON in valid UTF-8, one object a line unless a command says otherwise.
#pragma once

#include <string>

#include "selection/json.hpp"
#include "tilewright/device.hpp"

namespace tilewright::tool {

using Json = nlohmann::ordered_json;

/// One line with its line break. Bytes that are no UTF-8 are replaced; numbers that JSON lacks are null.
std::string json_line(const Json& json);

/// Prints a line on standard output at once. Throws std::runtime_error where it cannot be written.
void print_json(const Json& json);

/// Adds whose result a line is: "device", "device_index", "platform" and "driver".
void add_device(Json& line, const Device& device);

}  // namespace tilewright::tool
