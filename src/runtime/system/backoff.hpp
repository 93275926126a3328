// A pause between two polls of a device, with back-off.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace tilewright::detail {

/// Sleeps longer the longer nothing has changed. A change is noticed late by at most an eighth of the time it took, or
/// by 50 microseconds if that is more. Polling takes little time of a processor that is itself the device.
class Backoff {
 public:
  using Clock = std::chrono::steady_clock;

  void sleep_unless(bool moved) { std::this_thread::sleep_for(pause_unless(moved)); }

  /// Returns how long to sleep: 0 if something moved.
  Clock::duration pause_unless(bool moved) {
    if (moved) {
      since_ = Clock::now();
      return {};
    }
    constexpr Clock::duration least = std::chrono::microseconds(50), most = std::chrono::milliseconds(1);
    return std::clamp((Clock::now() - since_) / 8, least, most);
  }

 private:
  Clock::time_point since_ = Clock::now();
};

}  // namespace tilewright::detail
