// Numbers over the whole range of a type, and engines with the kernels of either kind of device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {

/// Whether the device computes with subnormal numbers of a type.
template <class T>
bool keeps_subnormals() {
  const cl::Device device(device_under_test().id, true);
  const cl_device_fp_config config =
      sizeof(T) == 8 ? device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() : device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>();
  return (config & CL_FP_DENORM) != 0;
}

/// The exponent of the smallest positive number in the device's arithmetic.
template <class T>
int min_exponent() {
  using Limits = std::numeric_limits<T>;
  return keeps_subnormals<T>() ? Limits::min_exponent - Limits::digits : Limits::min_exponent - 1;
}

/// A seeded stream of random numbers.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t below(std::uint64_t end) { return verification::random_bits(seed_, next_++) % end; }
  /// A number in [0, 1).
  double fraction() { return static_cast<double>(verification::random_bits(seed_, next_++) >> 11) * 0x1p-53; }
  /// A number in [-1, 1).
  double around_zero() { return 2 * fraction() - 1; }
  /// A number of either sign whose exponent is uniform in [least, most].
  template <class T>
  T of_any_size(int least, int most) {
    const int exponent = least + static_cast<int>(below(static_cast<std::uint64_t>(most - least + 1)));
    const double size = std::ldexp(1 + fraction(), exponent);
    return static_cast<T>(below(2) == 0 ? size : -size);
  }

 private:
  std::uint64_t seed_, next_ = 0;
};

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
