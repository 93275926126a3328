#include "bindings/c/json_text.hpp"

#include "bindings/c/guard.hpp"
#include "selection/member_count.hpp"

namespace tilewright::c {
namespace {

// A struct whose members are all in the text needs a change here when it gets another one.
static_assert(detail::member_count<TileSchedule>() == 23);
static_assert(detail::member_count<DeviceGroupReport>() == 3);
static_assert(detail::member_count<DeviceShare>() == 11);
static_assert(detail::member_count<Candidate>() == 4);
static_assert(detail::member_count<VariantInfo>() == 4);
static_assert(detail::member_count<Parameter>() == 3);

}  // namespace

Json to_json(const Configuration& configuration) {
  Json json = Json::object();
  for (const auto& [name, value] : configuration) json[name] = value;
  return json;
}

Json to_json(const Explanation& explanation) {
  Json candidates = Json::array();
  for (const Candidate& candidate : explanation.candidates)
    candidates.push_back({{"variant", candidate.variant},
                          {"configuration", to_json(candidate.configuration)},
                          {"supported", candidate.supported},
                          {"reason", candidate.reason}});
  return {{"problem", explanation.problem},
          {"variant", explanation.variant},
          {"configuration", to_json(explanation.configuration)},
          {"reason", explanation.reason},
          {"candidates", std::move(candidates)},
          {"parts", to_json(explanation.parts)}};
}

Json to_json(const VariantInfo& variant) {
  Json parameters = Json::array();
  for (const Parameter& parameter : variant.parameters)
    parameters.push_back({{"name", parameter.name}, {"meaning", parameter.meaning}, {"values", parameter.values}});
  return {{"name", variant.name},
          {"summary", variant.summary},
          {"parameters", std::move(parameters)},
          {"strategies", to_json(variant.strategies)}};
}

Json to_json(const DeviceProfile& device) {
  return {{"name", device.name},
          {"vendor_name", device.vendor_name},
          {"platform_name", device.platform_name},
          {"platform_version", device.platform_version},
          {"device_version", device.device_version},
          {"opencl_c_version", device.opencl_c_version},
          {"driver_version", device.driver_version},
          {"architecture", device.architecture},
          {"type", to_string(device.type)},
          {"vendor", to_string(device.vendor)},
          {"extensions", device.extensions},
          {"compute_units", device.compute_units},
          {"clock_mhz", device.clock_mhz},
          {"address_bits", device.address_bits},
          {"global_memory_bytes", device.global_memory_bytes},
          {"max_allocation_bytes", device.max_allocation_bytes},
          {"global_cache_bytes", device.global_cache_bytes},
          {"cache_line_bytes", device.cache_line_bytes},
          {"local_memory_bytes", device.local_memory_bytes},
          {"static_local_memory_bytes", device.static_local_memory_bytes},
          {"local_memory_is_dedicated", device.local_memory_is_dedicated},
          {"unified_memory", device.unified_memory},
          {"aligned_buffers", device.aligned_buffers},
          {"private_memory_bytes", device.private_memory_bytes},
          {"max_work_group_size", device.max_work_group_size},
          {"max_work_item_sizes", device.max_work_item_sizes},
          {"max_work_groups", device.max_work_groups},
          {"native_vector_width_f32", device.native_vector_width_f32},
          {"native_vector_width_f64", device.native_vector_width_f64},
          {"fp64", device.fp64},
          {"fp16", device.fp16},
          {"tensor_cores", device.tensor_cores},
          {"warpgroup_tensor_cores", device.warpgroup_tensor_cores},
          {"fp64_tensor_cores", device.fp64_tensor_cores},
          {"tensor_maps", device.tensor_maps},
          {"images", device.images},
          {"image2d_max_width", device.image2d_max_width},
          {"image2d_max_height", device.image2d_max_height}};
}

Json to_json(const TileSchedule& schedule) {
  return {{"transfer", to_string(schedule.transfer)},
          {"variant", schedule.choice.variant},
          {"configuration", to_json(schedule.choice.configuration)},
          {"tile_m", schedule.tile.m},
          {"tile_n", schedule.tile.n},
          {"tile_k", schedule.tile.k},
          {"tiles_m", schedule.tiles_m},
          {"tiles_n", schedule.tiles_n},
          {"tiles_k", schedule.tiles_k},
          {"by_columns", schedule.by_columns},
          {"slots_a", schedule.slots_a},
          {"slots_b", schedule.slots_b},
          {"slots_c", schedule.slots_c},
          {"chunk_bytes", schedule.chunk_bytes},
          {"chunks_up", schedule.chunks_up},
          {"chunks_down", schedule.chunks_down},
          {"tile_bytes", schedule.tile_bytes},
          {"workspace_bytes", schedule.workspace_bytes},
          {"staging_bytes", schedule.staging_bytes},
          {"bytes_up", schedule.bytes_up},
          {"bytes_down", schedule.bytes_down},
          {"upload_seconds", schedule.upload_seconds},
          {"download_seconds", schedule.download_seconds},
          {"copy_seconds", schedule.copy_seconds},
          {"compute_seconds", schedule.compute_seconds},
          {"seconds", schedule.seconds}};
}

Json to_json(const DeviceGroupReport& report) {
  Json devices = Json::array();
  for (const DeviceShare& share : report.devices)
    devices.push_back({{"device", share.device},
                       {"tiles", share.tiles},
                       {"work", share.work},
                       {"seconds", share.seconds},
                       {"bytes_up", share.bytes_up},
                       {"bytes_down", share.bytes_down},
                       {"taken_over", share.taken_over},
                       {"error", share.error},
                       {"is_reserve", share.is_reserve},
                       {"reason", share.reason},
                       {"bytes_copied", share.bytes_copied}});
  return {{"tiles", report.tiles}, {"seconds", report.seconds}, {"devices", std::move(devices)}};
}

char* owned_text(const Json& json) { return owned_text(json.dump(-1, ' ', false, Json::error_handler_t::replace)); }

}  // namespace tilewright::c
