#include "tuning/operations/gemm_timings_file.hpp"

#include <stdexcept>

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "selection/json_line.hpp"
#include "selection/record_json.hpp"

namespace tilewright::tuning {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* mark = "tilewright_timings";
constexpr std::uint64_t file_version = 1;

Json to_json(const DeviceProfile& device) {
  return {{mark, file_version},
          {"device", device.name},
          {"driver", device.driver_version},
          {"architecture", device.architecture},
          {"compute_units", device.compute_units},
          {"clock_mhz", device.clock_mhz},
          {"local_memory_bytes", device.local_memory_bytes},
          {"fp64", device.fp64}};
}

// Only NVIDIA's GPUs have a model of time.
DeviceProfile device_from_json(const nlohmann::json& line) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31U;
  if (detail::whole_number(line, mark, 1, most) != file_version) throw std::runtime_error("its version is unknown");
  DeviceProfile device;
  device.type = DeviceType::gpu;
  device.vendor = Vendor::nvidia;
  device.name = detail::text(line, "device");
  device.driver_version = detail::text(line, "driver");
  device.architecture = detail::text(line, "architecture");
  device.compute_units = static_cast<unsigned>(detail::whole_number(line, "compute_units", 1, most));
  device.clock_mhz = static_cast<unsigned>(detail::whole_number(line, "clock_mhz", 0, most));
  device.local_memory_bytes = detail::whole_number(line, "local_memory_bytes", 0, most);
  device.fp64 = detail::boolean(line, "fp64");
  device.max_work_groups = detail::quirks_of(device.vendor).max_work_groups;
  detail::expect_more_of_nvidia(device);
  return device;
}

Json to_json(const TimedProduct& timed) {
  Json line = detail::RecordFormat<GemmProblem>::to_json(timed.problem);
  line["variant"] = timed.choice.variant;
  line["configuration"] = detail::to_json(timed.choice.configuration);
  line["seconds"] = timed.seconds;
  return line;
}

TimedProduct timed_from_json(const nlohmann::json& line) {
  constexpr double shortest = 1e-9, longest = 1e6;
  TimedProduct timed;
  timed.problem = detail::RecordFormat<GemmProblem>::from_json(line);
  timed.choice.variant = detail::text(line, "variant");
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(timed.choice.variant);
  timed.choice.configuration =
      detail::configuration_from_json(variant.name, variant.parameters, detail::field(line, "configuration"));
  timed.seconds = detail::number(line, "seconds", shortest, longest);
  return timed;
}

}  // namespace

std::string text_of(const DeviceProfile& device, std::span<const TimedProduct> timings) {
  std::string text = detail::to_json_line(to_json(device)) + '\n';
  for (const TimedProduct& timed : timings) text += detail::to_json_line(to_json(timed)) + '\n';
  return text;
}

Timings timings_of(std::string_view text) {
  Timings timings;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    try {
      const nlohmann::json values = detail::parse_json_line(line);
      if (++number == 1)
        timings.device = device_from_json(values);
      else
        timings.products.push_back(timed_from_json(values));
    } catch (const std::exception& problem) {
      throw std::runtime_error("line " + std::to_string(std::max<std::size_t>(1, number)) + ": " + problem.what());
    }
  }
  if (number == 0) throw std::runtime_error("it is empty");
  return timings;
}

}  // namespace tilewright::tuning
