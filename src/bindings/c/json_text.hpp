// Texts of the C interface as JSON.
#pragma once

#include <string>

#include "selection/json.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/device_group.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::c {

using Json = nlohmann::ordered_json;

Json to_json(const Configuration& configuration);
Json to_json(const Explanation& explanation);
Json to_json(const VariantInfo& variant);
Json to_json(const DeviceProfile& device);
Json to_json(const TileSchedule& schedule);
Json to_json(const DeviceGroupReport& report);

template <class T>
Json to_json(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(to_json(value));
  return array;
}

/// Returns a copy of the JSON's text that the caller releases. Invalid UTF-8 is replaced.
char* owned_text(const Json& json);

}  // namespace tilewright::c
