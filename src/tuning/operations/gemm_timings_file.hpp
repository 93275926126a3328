// A file of timings: a line of JSON for the device, then one for each timing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuning/operations/gemm_time_fit.hpp"

namespace tilewright::tuning {

struct Timings {
  DeviceProfile device{};  ///< has what the model of time needs
  std::vector<TimedProduct> products{};
};

std::string text_of(const DeviceProfile& device, std::span<const TimedProduct> timings);

/// Reads such a text. Throws std::runtime_error with the line and the reason.
Timings timings_of(std::string_view text);

}  // namespace tilewright::tuning
