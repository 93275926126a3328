// How long to sleep between two looks at what a device does.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tilewright::detail {

/// Sleeps longer the longer nothing has moved. What comes is seen late by an eighth of the time that it took, or by 50
/// microseconds, and where the device is the host's own processor, looking takes little of it.
class Patience {
 public:
  void rest_unless(bool moved) {
    if (moved) {
      since_ = Clock::now();
      return;
    }
    constexpr Clock::duration least = std::chrono::microseconds(50), most = std::chrono::milliseconds(1);
    std::this_thread::sleep_for(std::clamp((Clock::now() - since_) / 8, least, most));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
};

}  // namespace tilewright::detail
