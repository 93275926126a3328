#include "gemm/fitted_times.hpp"

#include <filesystem>
#include <optional>

#include "runtime/engine_state.hpp"
#include "runtime/system/atomic_file.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/json_line.hpp"
#include "selection/measurement_files.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t largest_file = 1 << 16;
constexpr double least = 1e-9, most = 1e12;  // of a constant

std::optional<std::filesystem::path> file_of(const DeviceProfile& device) {
  return file_of_measurements(device, ".times.json");
}

}  // namespace

std::shared_ptr<const WaveConstants> read_fitted_times(const DeviceProfile& device) noexcept try {
  if (!has_wave_times(device)) return nullptr;
  const auto path = file_of(device);
  const auto text = path ? read_file(path->string(), largest_file) : std::nullopt;
  if (!text) return nullptr;
  try {
    const nlohmann::json stored = parse_json(*text);
    if (field(stored, "of") != heading_of_measurements(device)) return nullptr;
    auto constants = std::make_shared<WaveConstants>();
    const nlohmann::json& values = field(stored, "constants");
    for_each_constant(*constants, [&](const std::string& name, double& constant) {
      constant = number(values, name.c_str(), least, most);
    });
    return constants;
  } catch (const std::exception& problem) {
    log(path->string() + " is ignored: " + printable(problem.what()));
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
  Json values = Json::object();
  for_each_constant(constants, [&](const std::string& name, double constant) { values[name] = constant; });
  make_directories(path->parent_path().string());
  write_text(*path, Json{{"of", heading_of_measurements(device)}, {"constants", values}}.dump(1) + "\n");
  return path->string();
}

// Every engine has its device's constants from its beginning on: one problem always gets one choice.
std::shared_ptr<const WaveConstants> fitted_times(const DeviceProfile& device) { return read_fitted_times(device); }

}  // namespace tilewright::detail
