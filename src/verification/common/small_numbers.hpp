#pragma once

#include <cmath>
#include <limits>

#include "runtime/device/opencl.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// The arithmetic of a device near the smallest numbers of T: float, double, or complex numbers of them.
template <class T>
class SmallNumbers {
 public:
  explicit SmallNumbers(cl_device_id device) {
    const cl::Device id(device, true);
    const cl_device_fp_config config = sizeof(detail::Part<T>) == 8 ? id.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>()
                                                                    : id.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>();
    has_subnormals_ = (config & CL_FP_DENORM) != 0;
  }

  /// Returns the exponent of the smallest positive number: it is 2 to that power.
  int min_exponent() const {
    return has_subnormals_ ? Limits::min_exponent - Limits::digits : Limits::min_exponent - 1;
  }

  /// Returns the largest error of an operation with a small result: half of the smallest subnormal number, or the
  /// smallest normal number on a device that replaces subnormal numbers by 0.
  Wide<detail::Part<T>> error() const {
    return has_subnormals_ ? static_cast<Wide<detail::Part<T>>>(Limits::denorm_min()) / 2
                           : static_cast<Wide<detail::Part<T>>>(Limits::min());
  }

 private:
  using Limits = std::numeric_limits<detail::Part<T>>;
  bool has_subnormals_ = false;
};

}  // namespace tilewright::verification
