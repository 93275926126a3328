// Kernels for another type of device than the tests' own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

/// The types of device whose kernels are tested on this device. On a GPU not those for CPUs: they are never chosen
/// there, and the driver keeps their large private arrays for every work-item that the GPU can hold (tens of
/// gigabytes).
inline std::vector<DeviceType> kernel_types() {
  const DeviceProfile& device = device_under_test().profile;
  if (device.type == DeviceType::gpu && device.vendor != Vendor::oclgrind) return {DeviceType::gpu};
  return {DeviceType::cpu, DeviceType::gpu};
}

/// An engine that uses the kernels for a type of device, in work-groups of up to `max_items`.
inline Engine engine_with_kernels_for(DeviceType type, std::size_t max_items = 1024) {
  Engine engine(shared_context()(), shared_engine().device());
  DeviceProfile device = engine.profile();
  device.type = type;
  device.max_work_group_size = std::min(device.max_work_group_size, max_items);
  state_of(engine).set_profile(device);
  return engine;
}

/// The shared engine, and one for each of kernel_types() that is not the device's own.
inline std::vector<Engine> kernel_engines() {
  std::vector<Engine> engines{shared_engine()};
  for (const DeviceType type : kernel_types())
    if (type != shared_engine().profile().type) engines.push_back(engine_with_kernels_for(type));
  return engines;
}

}  // namespace tilewright::test
