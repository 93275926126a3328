#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/table.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {
namespace {

struct DevicesOptions {
  bool json = false;
  bool verbose = false;
};

constexpr std::array abilities{std::pair{Ability::inline_ptx, "inline_ptx"},
                               std::pair{Ability::big_local_memory, "big_local_memory"},
                               std::pair{Ability::tensor_cores, "tensor_cores"},
                               std::pair{Ability::warpgroup_tensor_cores, "warpgroup_tensor_cores"},
                               std::pair{Ability::fp64_tensor_cores, "fp64_tensor_cores"},
                               std::pair{Ability::tensor_maps, "tensor_maps"}};

std::vector<Probe> probe_abilities(const Device& device) {
  std::vector<Probe> probes;
  try {
    const Engine engine(device);
    for (const auto& [ability, name] : abilities) probes.push_back(engine.probe(ability));
  } catch (const Error& error) {
    // Show a listed but unusable device too, with the reason.
    probes.assign(abilities.size(), Probe{false, 0, error.what()});
  }
  return probes;
}

/// Returns the index of the default device; empty if TILEWRIGHT_DEVICE names no existing one.
std::string default_index() {
  try {
    return pick_device().index();
  } catch (const Error&) {
    return {};
  }
}

void print_table(const std::vector<Device>& devices) {
  Table table({{"index"},
               {"name", false, true},
               {"type", false, true},
               {"units", true, true},
               {"memory", true, true},
               {"local", true, true},
               {"fp64", false, true},
               {"images", false, true},
               {"architecture", false, true},
               {"platform", false, true},
               {"driver", false, true}});
  const std::string chosen = default_index();
  const auto yes_or_no = [](bool value) { return value ? "yes" : "no"; };
  for (const Device& device : devices) {
    const DeviceProfile& profile = device.profile;
    table.add_row(
        {device.index(), profile.name, std::string(to_string(profile.type)), fmt::format("{}", profile.compute_units),
         format_bytes(profile.global_memory_bytes), format_bytes(profile.local_memory_bytes), yes_or_no(profile.fp64),
         yes_or_no(profile.images), profile.architecture, profile.platform_name, profile.driver_version},
        device.index() == chosen);
  }
  Table probed({{"index"}, {"ability"}, {"available"}, {"probe result", false, true}});
  for (const Device& device : devices) {
    const std::vector<Probe> probes = probe_abilities(device);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      probed.add_row({device.index(), abilities[i].second, yes_or_no(probes[i].available), probes[i].detail});
    }
  }
  fmt::print("{}\n{}", table.to_string(output_page()), probed.to_string(output_page()));
}

Json to_json(const Device& device) {
  const DeviceProfile& profile = device.profile;
  Json json = {
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
      {"aligned_buffers", profile.aligned_buffers},
      {"private_memory_bytes", profile.private_memory_bytes},
      {"max_work_group_size", profile.max_work_group_size},
      {"max_work_item_sizes", profile.max_work_item_sizes},
      {"max_work_groups", profile.max_work_groups},
      {"native_vector_width_f32", profile.native_vector_width_f32},
      {"native_vector_width_f64", profile.native_vector_width_f64},
      {"fp64", profile.fp64},
      {"fp16", profile.fp16},
      {"tensor_cores", profile.tensor_cores},
      {"warpgroup_tensor_cores", profile.warpgroup_tensor_cores},
      {"fp64_tensor_cores", profile.fp64_tensor_cores},
      {"tensor_maps", profile.tensor_maps},
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
  json["default"] = device.index() == default_index();
  add_device(json, device);
  return json;
}

std::string value_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& part : value) text += (text.empty() ? "" : " ") + value_of(part);
  return text;
}

/// Prints all fields of the JSON as text.
void print_details(const std::vector<Device>& devices) {
  constexpr std::size_t name_width = 28;
  for (const Device& device : devices) {
    if (&device != &devices.front()) fmt::print("\n");
    Json details = to_json(device);
    for (const char* const identity_key : {"device", "device_index", "platform", "driver"}) details.erase(identity_key);
    for (const auto& [name, value] : details.items()) {
      if (name == "abilities") continue;
      fmt::print("{}", format_field(name, value_of(value), output_page(), Style::plain, name_width));
    }
    for (const auto& [name, ability] : details["abilities"].items()) {
      const std::string there = ability["available"].get<bool>() ? "yes" : "no";
      const std::string detail = value_of(ability["detail"]);
      fmt::print("{}", format_field(name + " (probed)", there + (detail.empty() ? "" : "; " + detail), output_page(),
                                    Style::plain, name_width));
    }
  }
}

int run(const DevicesOptions& options) {
  const std::vector<Device> devices = list_devices();
  if (devices.empty()) pick_device();  // throws an error that says what to install
  if (options.json) {
    Json list = Json::array();
    for (const Device& device : devices) list.push_back(to_json(device));
    fmt::print("{}\n", list.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (options.verbose) {
    print_details(devices);
  } else {
    print_table(devices);
  }
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("devices", "List all OpenCL devices and their abilities");
  const auto options = std::make_shared<DevicesOptions>();
  command->add_flag("--json", options->json, "print the complete profiles as one JSON array");
  command->add_flag("--verbose", options->verbose, "print the complete profiles as text");
  command->footer("An asterisk marks the default device.\nExample:\n  tilewright devices --json");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
