// Groups of engines of the device under test, and of its parts.
#pragma once

#include <vector>

#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::test {

inline DeviceGroup two_engines() { return DeviceGroup({Engine(device_under_test()), Engine(device_under_test())}); }

/// Returns an engine for each core of a CPU. Empty if the device cannot be parted.
inline std::vector<Engine> engines_of_parts() {
  std::vector<cl::Device> parts;
  try {
    cl::Device device(device_under_test().id, true);
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    device.createSubDevices(properties, &parts);
  } catch (const cl::Error&) {
    parts.clear();
  }
  std::vector<Engine> engines;
  for (const cl::Device& part : parts)
    engines.push_back(Engine::from_queue(cl::CommandQueue(cl::Context(part), part)()));
  return engines;
}

}  // namespace tilewright::test
