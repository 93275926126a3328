#include "options/group_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "options/option_values.hpp"
#include "runtime/system/plain_text.hpp"
#include "session.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

constexpr std::uint64_t max_threads = 256;

unsigned parse_parts(const std::string& wanted, const std::string& text) {
  const auto parts = detail::find_whole<unsigned>(text);
  if (!parts || *parts < 2)
    throw UsageError(
        fmt::format("--devices {}: the number after the slash is not 2 or more; a device is divided in 2 parts or "
                    "more, as in 0:0/2",
                    wanted));
  return *parts;
}

Engine engine_of_part(cl_device_id part) {
  cl_int status = CL_SUCCESS;
  const std::unique_ptr<std::remove_pointer_t<cl_context>, cl_int(CL_API_CALL*)(cl_context)> context(
      clCreateContext(nullptr, 1, &part, nullptr, nullptr, &status), clReleaseContext);
  check_opencl(status, "clCreateContext");
  const Queue queue(clCreateCommandQueue(context.get(), part, 0, &status));
  check_opencl(status, "clCreateCommandQueue");
  return Engine::from_queue(queue.get());
}

void add_parts(std::vector<Engine>& engines, const Device& device, unsigned parts) {
  const unsigned units = device.profile.compute_units / parts;
  if (units == 0)
    throw UsageError(fmt::format("{} has {} compute units, too few for {} parts; ask for fewer parts",
                                 device.profile.name, device.profile.compute_units, parts));
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                     static_cast<cl_device_partition_property>(units), 0};
  std::vector<cl_device_id> ids(device.profile.compute_units / units);
  cl_uint count = 0;
  check_opencl(clCreateSubDevices(device.id, properties, static_cast<cl_uint>(ids.size()), ids.data(), &count),
               "clCreateSubDevices");
  for (unsigned i = 0; i < count; ++i) {
    if (i < parts) engines.push_back(engine_of_part(ids[i]));
    clReleaseDevice(ids[i]);
  }
}

}  // namespace

void GroupOptions::add_to(CLI::App& command) {
  command
      .add_option("--devices", devices,
                  "compute on several devices at once, from host memory: all, or a comma-separated list of devices as "
                  "for --device, such as 0:0,1:0; 0:0/2 means two equal parts of device 0:0")
      ->delimiter(',');
  command
      .add_option("--copy-threads", copy_threads,
                  "with --devices: copy threads per device; default: a few, chosen automatically")
      ->transform(whole_number(1, max_threads));
  command
      .add_option("--driver-threads", driver_threads,
                  "with --devices: threads that drive the devices; default: one per device")
      ->transform(whole_number(1, max_threads));
}

DeviceGroup GroupOptions::group() const {
  if (devices.size() == 1 && devices.front() == "all") return DeviceGroup::all();
  std::vector<Engine> engines;
  for (const std::string& wanted : devices) {
    const std::size_t slash = wanted.rfind('/');
    if (slash == std::string::npos)
      engines.emplace_back(pick_device(wanted));
    else
      add_parts(engines, pick_device(wanted.substr(0, slash)), parse_parts(wanted, wanted.substr(slash + 1)));
  }
  return DeviceGroup(std::move(engines));
}

DeviceGroupOptions GroupOptions::options() const {
  return {.copy_threads = copy_threads, .driver_threads = driver_threads};
}

void GroupOptions::check() const {
  if (!is_used() && (copy_threads != 0 || driver_threads != 0))
    throw UsageError("--copy-threads and --driver-threads are for --devices; add --devices, or leave them out");
  for (const std::string& wanted : devices)
    if (const std::size_t slash = wanted.rfind('/'); slash != std::string::npos)
      parse_parts(wanted, wanted.substr(slash + 1));
}

}  // namespace tilewright::tool
