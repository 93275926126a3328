#pragma once

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Waits for all commands of a queue. A wait that fails is tried again: commands that still run may use memory that is
/// about to be released.
inline void wait_for_all(cl_command_queue queue) noexcept {
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts && clFinish(queue) != CL_SUCCESS; ++attempt) {
  }
}

}  // namespace tilewright::detail
