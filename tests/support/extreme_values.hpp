// Numbers over the whole range of a type, and engines with the kernels of either kind of device.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/small_numbers.hpp"

namespace tilewright::test {

using verification::RandomStream;

/// The smallest numbers of the device.
template <class T>
verification::SmallNumbers<T> small_numbers() {
  return verification::SmallNumbers<T>(device_under_test().id);
}

/// The exponent of the smallest positive number in the device's arithmetic.
template <class T>
int min_exponent() {
  return small_numbers<T>().min_exponent();
}

/// An engine that uses the kernels for another type of device, in work-groups of up to `max_items`.
inline Engine engine_with_kernels_for(DeviceType type, std::size_t max_items = 1024) {
  Engine engine(shared_context()(), shared_engine().device());
  DeviceProfile device = engine.profile();
  device.type = type;
  device.max_work_group_size = std::min(device.max_work_group_size, max_items);
  state_of(engine).set_profile(device);
  return engine;
}

}  // namespace tilewright::test
