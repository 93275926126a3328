// Waiting for all commands of a queue before memory is released.
#pragma once

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Waits for all commands of a queue. Repeats a failed wait, because running commands may use memory that is about to
/// be released.
inline void wait_for_all(cl_command_queue queue) noexcept {
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts && clFinish(queue) != CL_SUCCESS; ++attempt) {
  }
}

}  // namespace tilewright::detail
