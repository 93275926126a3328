// Speeds of the host's BLAS and of the device, stored for other processes.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "bindings/blas/blas_call.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::blas {

/// Index of arrays with one entry for each precision: 0 for f32 and c64, 1 for f64 and c128.
constexpr std::size_t precision_of(DataType type) { return type == DataType::f32 || type == DataType::c64 ? 0 : 1; }

/// Speeds that decide between the host and the device.
struct Calibration {
  std::string device;                             ///< identity of the device and its driver
  bool device_is_host = false;                    ///< the device is the host's processor, so that nothing is gained
  bool is_in_place = false;                       ///< the device uses the caller's memory, without transfers
  double opening_seconds = 0;                     ///< time that the device takes to be opened
  std::array<double, 2> host_flops{};             ///< best speed of the host's BLAS; 0: unknown
  std::array<TransferSpeeds, 2> device_speeds{};  ///< flops is 0 if the device lacks the precision

  /// Predicts the seconds of a call on the host; 0 if its speed is unknown.
  double host_seconds(const Call& call, double flops) const;
  /// Predicts the seconds of a call on the device, with all transfers; infinite if the device lacks the type.
  double device_seconds(const Call& call, double flops) const;
};

/// Returns what an earlier process stored. The speeds are those of this kind of processor, these OpenCL platforms, this
/// environment, and the host's BLAS in the file `host_library`. Its device must be compared when a device is opened.
std::optional<Calibration> read_calibration(const std::string& host_library) noexcept;

/// Whether there is a place for calibrations. Without one, every process measures for itself.
bool can_be_kept() noexcept;

/// Stores a calibration next to those of other hosts and environments. If that fails, the old file stays, and the next
/// process measures again.
void keep_calibration(const Calibration& calibration, const std::string& host_library) noexcept;

}  // namespace tilewright::blas
