// Decides which calls the device computes when TILEWRIGHT_BLAS is `auto`.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/blas/calibration.hpp"
#include "bindings/blas/device.hpp"

namespace tilewright::blas {

/// Compares predicted times. Measures nothing before the host has computed large calls for a second.
class Decision {
 public:
  explicit Decision(const Settings& settings) : settings_(settings) {}

  /// Returns why the host computes the call; null if the device does. `device` is null if it is not open yet; a
  /// device that is opened for this call pays for the time that this takes. `host` is the host's function.
  const char* reason_for_host(const Call& call, double flops, const BlasDevice* device, void* host);

  /// Whether the known speeds are those of a device. If they are those of another one, which another machine or an
  /// earlier driver had, they are forgotten, and the device is measured after the next large call.
  bool is_measured(const std::string& device);

  /// Notes the time of a call that the host computed completely. Returns whether the device should be measured now.
  bool note_host(const Call& call, double flops, double seconds);

  /// Measures the device, which takes up to two seconds, and stores the result. `opening_seconds` is the time that it
  /// took to open the device.
  void measure(const BlasDevice& device, double opening_seconds);

 private:
  // The best speed of the host, without the one call that was the fastest: a clock may jump.
  class BestSpeed {
   public:
    void note(double flops);
    double get() const { return second_ > 0 ? second_ : first_; }

   private:
    double first_ = 0, second_ = 0;
  };

  // Negative while another thread predicts the time of a product, which may measure the device.
  double device_seconds(const Calibration& calibration, const Call& call, double flops, const BlasDevice* device);

  struct KnownTime {
    GemmProblem problem;
    double seconds;
  };

  const Settings& settings_;
  std::mutex mutex_;
  bool has_read_ = false;
  std::optional<Calibration> calibration_;
  std::string host_library_;                // as it was read
  std::array<BestSpeed, 2> host_speeds_{};  // in this process, for each precision
  double host_seconds_ = 0;                 // spent in large calls
  double missed_gain_ = 0;                  // seconds that an open device would have saved
  std::mutex predicting_;
  std::vector<KnownTime> known_times_;  // of recent products; protected by predicting_
};

}  // namespace tilewright::blas
