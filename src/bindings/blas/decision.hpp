// Decides which calls the device computes when TILEWRIGHT_BLAS is `auto`.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "bindings/blas/calibration.hpp"
#include "bindings/blas/device.hpp"

namespace tilewright::blas {

/// Compares predicted times. Measures nothing before the host has computed large calls for a second.
class Decision {
 public:
  explicit Decision(const Settings& settings) : settings_(settings) {}

  /// Returns why the host computes the call; null if the device does. `device` is null if it is not open yet; a
  /// device that is opened for this call pays for the time that this takes.
  const char* reason_for_host(const Call& call, double flops, const BlasDevice* device);

  /// Notes the time of a call that the host computed. Returns whether the device should be measured now.
  bool note_host(const Call& call, double flops, double seconds);

  /// Measures the device, which takes up to two seconds, and stores the result. `opening_seconds` is the time that it
  /// took to open the device.
  void measure(const BlasDevice& device, double opening_seconds);

 private:
  double device_seconds(const Call& call, double flops, const BlasDevice* device);

  struct KnownTime {
    GemmProblem problem;
    double seconds;
  };

  const Settings& settings_;
  std::mutex mutex_;
  bool has_read_ = false;
  std::optional<Calibration> calibration_;
  std::array<double, 2> host_flops_{};  // the best speed in this process
  double host_seconds_ = 0;             // spent in large calls
  double missed_gain_ = 0;              // seconds that an open device would have saved
  std::vector<KnownTime> known_times_;  // of recent products
};

}  // namespace tilewright::blas
