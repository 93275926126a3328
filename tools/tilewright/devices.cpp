#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "format.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {
namespace {

constexpr std::array abilities{std::pair{Ability::inline_ptx, "inline_ptx"},
                               std::pair{Ability::big_local_memory, "big_local_memory"},
                               std::pair{Ability::fp64_tensor_cores, "fp64_tensor_cores"}};

std::vector<Probe> probe_abilities(const Device& device) {
  std::vector<Probe> probes;
  try {
    const Engine engine(device);
    for (const auto& [ability, name] : abilities) probes.push_back(engine.probe(ability));
  } catch (const Error& error) {
    // A device that is listed but cannot be used is worth showing, with the reason.
    probes.assign(abilities.size(), Probe{false, 0, error.what()});
  }
  return probes;
}

void print_table(const std::vector<Device>& devices) {
  Table table({{"index"},
               {"name"},
               {"type"},
               {"platform"},
               {"driver"},
               {"units", true},
               {"memory", true},
               {"local", true},
               {"fp64"},
               {"images"},
               {"architecture"}});
  const auto yes_or_no = [](bool value) { return value ? "yes" : "no"; };
  for (const Device& device : devices) {
    const DeviceProfile& profile = device.profile;
    table.add_row({device.index(), profile.name, std::string(to_string(profile.type)), profile.platform_name,
                   profile.driver_version, fmt::format("{}", profile.compute_units),
                   format_bytes(profile.global_memory_bytes), format_bytes(profile.local_memory_bytes),
                   yes_or_no(profile.fp64), yes_or_no(profile.images), profile.architecture});
  }
  Table probed({{"index"}, {"ability"}, {"there"}, {"found by running a kernel"}});
  for (const Device& device : devices) {
    const std::vector<Probe> probes = probe_abilities(device);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      probed.add_row({device.index(), abilities[i].second, yes_or_no(probes[i].available), probes[i].detail});
    }
  }
  fmt::print("{}\n{}", table.to_string(), probed.to_string());
}

nlohmann::ordered_json to_json(const Device& device) {
  const DeviceProfile& profile = device.profile;
  nlohmann::ordered_json json = {
      {"index", device.index()},
      {"name", profile.name},
      {"type", to_string(profile.type)},
      {"vendor", to_string(profile.vendor)},
      {"vendor_name", profile.vendor_name},
      {"architecture", profile.architecture},
      {"platform_name", profile.platform_name},
      {"platform_version", profile.platform_version},
      {"device_version", profile.device_version},
      {"opencl_c_version", profile.opencl_c_version},
      {"driver_version", profile.driver_version},
      {"compute_units", profile.compute_units},
      {"clock_mhz", profile.clock_mhz},
      {"address_bits", profile.address_bits},
      {"global_memory_bytes", profile.global_memory_bytes},
      {"max_allocation_bytes", profile.max_allocation_bytes},
      {"global_cache_bytes", profile.global_cache_bytes},
      {"cache_line_bytes", profile.cache_line_bytes},
      {"local_memory_bytes", profile.local_memory_bytes},
      {"static_local_memory_bytes", profile.static_local_memory_bytes},
      {"local_memory_is_dedicated", profile.local_memory_is_dedicated},
      {"unified_memory", profile.unified_memory},
      {"max_work_group_size", profile.max_work_group_size},
      {"max_work_item_sizes", profile.max_work_item_sizes},
      {"native_vector_width_f32", profile.native_vector_width_f32},
      {"native_vector_width_f64", profile.native_vector_width_f64},
      {"fp64", profile.fp64},
      {"fp16", profile.fp16},
      {"fp64_tensor_cores", profile.fp64_tensor_cores},
      {"images", profile.images},
      {"image2d_max_width", profile.image2d_max_width},
      {"image2d_max_height", profile.image2d_max_height},
      {"extensions", profile.extensions},
  };
  const std::vector<Probe> probes = probe_abilities(device);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    json["abilities"][abilities[i].second] = {
        {"available", probes[i].available}, {"value", probes[i].value}, {"detail", probes[i].detail}};
  }
  return json;
}

int run(bool json) {
  const std::vector<Device> devices = list_devices();
  if (!json) {
    print_table(devices);
    return 0;
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Device& device : devices) list.push_back(to_json(device));
  fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("devices", "List every OpenCL device and what it can do");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "the complete profiles as one JSON array");
  command->footer("Example:\n  tilewright devices --json");
  command->callback([&action, json] { action = [json] { return run(*json); }; });
}

}  // namespace tilewright::tool
