// Products of matrices in host memory, shared out between several devices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright {

struct DeviceGroupOptions {
  /// Bytes that a call may take through OpenCL on each device, as OutOfCoreOptions::memory.
  std::uint64_t memory = 0;
  /// Threads that copy to and from pinned memory, for each device, and threads that drive devices; 1 is the caller's
  /// alone, 0 as many as pay: up to 8 for copies, and one for each device. GPUs that are fed from one thread wait for
  /// each other's copies. They live during the call.
  unsigned copy_threads = 1;
  unsigned driver_threads = 1;
  TileTransfer transfer = TileTransfer::automatic;
  TileSizes tile{};  ///< m and n of all devices' tiles, and k; 0: the model chooses
  /// Of each device, in the group's order, instead of the measured ones; empty: transfer_speeds().
  std::vector<TransferSpeeds> speeds{};

  friend bool operator==(const DeviceGroupOptions&, const DeviceGroupOptions&) = default;
};

/// What one device did in a call.
struct DeviceShare {
  std::string device{};                        ///< its name
  std::uint64_t tiles = 0;                     ///< of C, or pieces of a batch, that it finished
  double work = 0;                             ///< part of the whole work, up to 1
  double seconds = 0;                          ///< from its first tile's beginning to its last one's end
  std::uint64_t bytes_up = 0, bytes_down = 0;  ///< over its link
  std::uint64_t taken_over = 0;                ///< tiles that were another's share at first
  std::string error{};                         ///< why it failed; empty where it did not
};

struct DeviceGroupReport {
  std::uint64_t tiles = 0;
  double seconds = 0;
  std::vector<DeviceShare> devices{};  ///< in the group's order
};

/// Several lines for people.
TILEWRIGHT_API std::string to_string(const DeviceGroupReport& report);

/// Devices of a host, of any platforms, each with an engine and a context of its own. Safe to use from many threads,
/// whose calls are done one after another. Copies share what is kept between calls.
///
/// C is cut into tiles. Each device begins with a range of them after its measured speed; one that is through takes
/// over a part of what the others have left, halved again and again, so that all end together. At the end a slow
/// device leaves tiles to those who finish them first. Devices share no memory: each has its operands from the host
/// over its own link. No driver in use copies between devices of different contexts.
class DeviceGroup {
 public:
  /// Throws Error(no_device) where there is none, and invalid_configuration where a device is named twice with engines
  /// of one context.
  TILEWRIGHT_API explicit DeviceGroup(std::vector<Engine> engines);

  /// Every device of the host, but for CPUs that another platform has, too. Throws what list_devices() throws.
  TILEWRIGHT_API static DeviceGroup all();

  const std::vector<Engine>& engines() const { return engines_; }

  /// Does the product, or a batch by strides, and returns when C is done: it blocks, as OutOfCorePlan::run() does, with
  /// its error bound. A batch is shared out by pieces of some products each, of which a device must hold two.
  ///
  /// Where a device fails, the others do its tiles, and its error is in the report. What it may have written in part is
  /// done again where C is not read (beta = 0, or HostOperands::c_in); else the call throws its error at the end, whose
  /// message names these tiles: they alone are unspecified. Where no device is left, the call throws: C holds whole
  /// tiles, done or as they were, but for those that the message names.
  /// Throws Error(unsupported_type, invalid_batch, invalid_leading_dimension, size_overflow, invalid_configuration,
  /// null_object, overlapping_operands, device_lost, out_of_memory, opencl_failure, build_failed).
  TILEWRIGHT_API DeviceGroupReport gemm(const GemmProblem& problem, const HostOperands& operands,
                                        const DeviceGroupOptions& options = {}) const;

  /// Memory and schedules of the last product are kept for one like it, which then begins at once. This gives them
  /// back; so does the end of the group.
  TILEWRIGHT_API void release_memory() const;

 private:
  struct Kept;

  std::vector<Engine> engines_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace tilewright
