#include "out_of_core/kept_speeds.hpp"

#include <filesystem>
#include <string>

#include "out_of_core/speeds.hpp"
#include "runtime/system/atomic_file.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/json.hpp"
#include "selection/json_line.hpp"
#include "selection/measurement_files.hpp"
#include "selection/record_places.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t largest_file = 1 << 16;

std::optional<std::filesystem::path> file_of(const DeviceProfile& device) {
  return records_switched_off() ? std::nullopt : file_of_measurements(device, ".speeds.json");
}

Json read_all(const DeviceProfile& device) {
  const auto path = file_of(device);
  const auto text = path ? read_file(path->string(), largest_file) : std::nullopt;
  Json json = text ? parse_json(*text, false) : Json();
  if (text && !json.is_object()) debug("the stored speeds in " + path->string() + " are ignored: the file is not JSON");
  if (!json.is_object() || !json.contains("of") || json["of"] != heading_of_measurements(device)) return {};
  return json;
}

// Replaces the speeds of a type. Null replaces them by a mark that they were removed, unless the mark exists.
void write_speeds(const DeviceProfile& device, DataType type, const TransferSpeeds* speeds) noexcept try {
  const auto path = file_of(device);
  if (!path) return;
  Json json = read_all(device);
  if (!json.is_object()) json = {{"of", heading_of_measurements(device)}};
  Json& of_type = json[std::string(to_string(type))];
  if (!of_type.is_object()) of_type = Json::object();
  if (speeds != nullptr) {
    for (const auto& [field, member] : speed_fields) of_type[field] = speeds->*member;
  } else {
    if (of_type.contains("doubted")) return;
    of_type = {{"doubted", true}};
  }
  if (!make_directories(path->parent_path().string()) ||
      !write_file(path->string(), json.dump(1) + "\n", Durability::process))
    debug("the speeds of the device could not be written to " + path->string());
} catch (...) {
  debug_failure("the speeds of the device could not be written");
}

}  // namespace

std::optional<TransferSpeeds> read_speeds(const DeviceProfile& device, DataType type) noexcept try {
  const Json json = read_all(device);
  const std::string name(to_string(type));
  // The mark may be alone, or next to the speeds that were measured later.
  if (!json.is_object() || !json.contains(name) || !json[name].contains("upload")) return std::nullopt;
  TransferSpeeds speeds;
  for (const auto& [field, member] : speed_fields) {
    speeds.*member = json[name].at(field).get<double>();
    if (!is_speed_or_unknown(speeds.*member)) {
      debug("the stored speeds of the device are ignored: " + std::string(field) + " is negative or not finite");
      return std::nullopt;
    }
  }
  return speeds;
} catch (...) {
  debug_failure("the stored speeds of the device are ignored");
  return std::nullopt;
}

void keep_speeds(const DeviceProfile& device, DataType type, const TransferSpeeds& speeds) noexcept {
  write_speeds(device, type, &speeds);
}

void discard_kept_speeds(const DeviceProfile& device, DataType type) noexcept { write_speeds(device, type, nullptr); }

}  // namespace tilewright::detail
