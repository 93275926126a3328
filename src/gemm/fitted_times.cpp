#include "gemm/fitted_times.hpp"

#include <filesystem>
#include <optional>
#include <system_error>

#include "runtime/device/fitted_constants.hpp"
#include "runtime/system/atomic_file.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/json_line.hpp"
#include "selection/measurement_files.hpp"
#include "selection/record_places.hpp"
#include "selection/records_header.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t largest_file = 1 << 16;
constexpr double least = 1e-9, most = 1e12;  // of a constant
constexpr const char* in_header = "fitted_times";

std::optional<std::filesystem::path> file_of(const DeviceProfile& device) {
  return file_of_measurements(device, ".times.json");
}

// Returns what is stored of constants: what they apply to, and their values.
Json stored_form(const DeviceProfile& device, const WaveConstants& constants) {
  Json values = Json::object();
  for_each_constant(constants, [&](const std::string& name, double constant) { values[name] = constant; });
  return {{"of", heading_of_measurements(device)}, {"constants", values}};
}

// Reads the stored form. Returns null if it applies to another device, driver or version of the library.
std::shared_ptr<const WaveConstants> read_stored(const nlohmann::json& stored, const DeviceProfile& device) {
  if (field(stored, "of") != heading_of_measurements(device)) return nullptr;
  auto constants = std::make_shared<WaveConstants>();
  const nlohmann::json& values = field(stored, "constants");
  for_each_constant(*constants, [&](const std::string& name, double& constant) {
    constant = number(values, name.c_str(), least, most);
  });
  return constants;
}

}  // namespace

std::shared_ptr<const WaveConstants> stored_fitted_times(const DeviceProfile& device) noexcept try {
  if (!has_wave_times(device)) return nullptr;
  const auto path = file_of(device);
  const auto text = path ? read_file(path->string(), largest_file) : std::nullopt;
  if (!text) return nullptr;
  try {
    return read_stored(parse_json(*text), device);
  } catch (const std::exception& problem) {
    log_once(path->string() + " is ignored: " + printable(problem.what()));
    return nullptr;
  }
} catch (...) {
  debug_failure("the fitted times of the device could not be read");
  return nullptr;
}

std::string store_fitted_times(const DeviceProfile& device, const WaveConstants& constants) {
  const auto path = file_of(device);
  if (!path)
    throw Error(ErrorCode::invalid_records, "there is no directory for the fitted times; set TILEWRIGHT_DATA_DIR");
  make_directories(path->parent_path().string());
  write_text(*path, stored_form(device, constants).dump(1) + "\n");
  return path->string();
}

std::optional<std::filesystem::path> clear_fitted_times(const DeviceProfile& device) {
  const auto path = file_of(device);
  std::error_code error;
  if (!path || !std::filesystem::exists(std::filesystem::symlink_status(*path, error))) return std::nullopt;
  return set_aside(*path, ".backup");
}

std::string header_with_fitted_times(const DeviceProfile& device) {
  const auto constants = stored_fitted_times(device);
  if (constants == nullptr) return header_line(device);
  Json header = parse_json(header_line(device));
  header[in_header] = stored_form(device, *constants);
  return to_json_line(header);
}

std::shared_ptr<const WaveConstants> fitted_times_in(std::string_view text, const std::string& name,
                                                     const DeviceProfile& device) {
  if (!has_wave_times(device)) return nullptr;
  try {
    const nlohmann::json header = parse_json_line(text.substr(0, text.find('\n')));
    if (!header.contains(in_header)) return nullptr;
    auto constants = read_stored(header[in_header], device);
    if (constants == nullptr)
      log(printable(name) +
          ": the fitted constants are left out: they are of another driver or version of the library");
    return constants;
  } catch (const std::exception& problem) {
    throw Error(ErrorCode::invalid_records, name + " has damaged fitted constants: " + printable(problem.what()));
  }
}

// A device is described once per engine, which has these constants from its beginning on: one problem always gets one
// choice.
std::shared_ptr<const WaveConstants> fitted_times(const DeviceProfile& device) {
  return records_switched_off() ? nullptr : stored_fitted_times(device);
}

}  // namespace tilewright::detail
