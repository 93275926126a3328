// Products of matrices in host memory, divided between several devices.
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
  /// Bytes that a call may allocate through OpenCL on each device; 0: nine tenths of the device's memory.
  std::uint64_t memory = 0;
  /// Threads per device that copy to and from pinned memory, and threads that drive devices. 1: only the caller's. 0:
  /// as many as pay, which is up to 8 for copies and one per device for driving. Larger numbers are limited to 256 for
  /// copies and one per device for driving. If a thread cannot be started, the others do its work. GPUs that are driven
  /// from one thread wait for each other's copies. Threads live during the call.
  unsigned copy_threads = 1;
  unsigned driver_threads = 1;
  TileTransfer transfer = TileTransfer::automatic;
  TileSizes tile{};  ///< m and n of all devices' tiles, and k; 0: the model chooses
  /// The speeds of each device, in the group's order, instead of the measured ones; empty: transfer_speeds(). All must
  /// be finite, `flops` greater than 0 and the others at least 0. 0 is unknown and treated as free.
  std::vector<TransferSpeeds> speeds{};

  friend bool operator==(const DeviceGroupOptions&, const DeviceGroupOptions&) = default;
};

/// What one device did in a call.
struct DeviceShare {
  std::string device{};                        ///< its name
  std::uint64_t tiles = 0;                     ///< tiles of C, or pieces of a batch, that it finished
  double work = 0;                             ///< fraction of the whole work, up to 1
  double seconds = 0;                          ///< from the start of its first tile to the end of its last one
  std::uint64_t bytes_up = 0, bytes_down = 0;  ///< over its link
  std::uint64_t taken_over = 0;                ///< tiles that were assigned to another device at first
  std::string error{};                         ///< why it failed or was left out; empty if it did not fail
};

struct DeviceGroupReport {
  std::uint64_t tiles = 0;
  double seconds = 0;
  std::vector<DeviceShare> devices{};  ///< in the group's order
};

/// Several lines for people.
TILEWRIGHT_API std::string to_string(const DeviceGroupReport& report);

/// Devices of one host, from any platforms, each with an engine and a context of its own. Safe to use from many
/// threads, whose calls run one after another. Functions of the user that run during a call, such as log callbacks, may
/// call the group again in the same thread. Copies share what is kept between calls.
///
/// C is cut into tiles. Each device begins with a range of tiles that is as long as its measured speed suggests. A
/// device that finishes early takes over half of what another has left, so that all end together. At the end, a slow
/// device leaves its tiles to those that finish them first. Devices share no memory: each gets its operands from the
/// host over its own link. No known driver copies between devices of different contexts.
class DeviceGroup {
 public:
  /// Throws Error(no_device) if the list is empty, and invalid_configuration if a device is listed twice with the same
  /// context.
  TILEWRIGHT_API explicit DeviceGroup(std::vector<Engine> engines);

  /// Every device of the host; a CPU that several platforms offer is included once. Throws what list_devices() throws.
  TILEWRIGHT_API static DeviceGroup all();

  const std::vector<Engine>& engines() const { return engines_; }

  /// C = alpha op(A) op(B) + beta C, one product or a batch by strides, with the error bound of OutOfCorePlan::run().
  /// Blocks until C is done. A batch is divided into pieces of some products each; a device must have room for two
  /// products.
  ///
  /// If a device fails, the others do its tiles, and DeviceShare::error has the reason. That holds for every step:
  /// measuring speeds, planning, compiling, allocating and computing. A device without room for a tile is left out in
  /// the same way. The next call tries every device again.
  /// Tiles that a failed device has half written are done again if C is not read (beta = 0, or HostOperands::c_in).
  /// Otherwise the call finishes all other tiles and then throws the device's error. Its message names the half-written
  /// tiles, which are unspecified.
  /// If no device is left, the call throws. Each tile of C is then done or unchanged, except those that the message
  /// names.
  ///
  /// Throws Error(unsupported_type) if a device lacks the type, invalid_configuration for bad speeds or tile sizes that
  /// cannot be allocated, and Error(invalid_batch, invalid_leading_dimension, size_overflow, null_object,
  /// overlapping_operands, device_lost, out_of_memory, opencl_failure, build_failed).
  TILEWRIGHT_API DeviceGroupReport gemm(const GemmProblem& problem, const HostOperands& operands,
                                        const DeviceGroupOptions& options = {}) const;

  /// Releases the plan and the device memory of the last call. They are kept so that the same call again begins at
  /// once; the group's destructor releases them, too. During a call, in a function of the user, the release happens
  /// when the call ends.
  TILEWRIGHT_API void release_memory() const;

 private:
  struct Kept;

  std::vector<Engine> engines_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace tilewright
