// Products of matrices in host memory, divided between several devices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright {

/// Limits and choices for a call of a group. The defaults suit most calls.
struct DeviceGroupOptions {
  /// Bytes that a call may allocate through OpenCL on each device at any moment: matrices, workspace and pinned memory
  /// together. Compiled programs do not count. 0: nine tenths of the device's memory.
  std::uint64_t memory = 0;

  /// Threads for each device that copy to and from pinned memory, including the one that drives the device. 0: up to
  /// 16, as the host's processor allows. At most 256. If a thread cannot be started, the others do its work.
  unsigned copy_threads = 1;

  /// Threads that drive devices, including the caller's. 0: one for each device, which is also the maximum. GPUs that
  /// one thread drives wait for each other's copies. Threads live during the call.
  unsigned driver_threads = 1;

  TileTransfer transfer = TileTransfer::automatic;  ///< how matrices reach the kernels
  TileSizes tile{};                                 ///< sizes of tiles and slabs on all devices; 0: the library chooses

  /// Speeds of each device, in the group's order, used instead of the measured ones; empty: transfer_speeds().
  /// All must be finite, `flops` greater than 0 and the others at least 0. 0 means unknown and counts as free.
  std::vector<TransferSpeeds> speeds{};

  friend bool operator==(const DeviceGroupOptions&, const DeviceGroupOptions&) = default;
};

/// One device's part of a call.
struct DeviceShare {
  std::string device{};          ///< name of the device
  std::uint64_t tiles = 0;       ///< tiles of C, or pieces of a batch, that it finished
  double work = 0;               ///< its fraction of the work, up to 1
  double seconds = 0;            ///< from the start of its first tile to the end of its last one
  std::uint64_t bytes_up = 0;    ///< bytes uploaded to the device
  std::uint64_t bytes_down = 0;  ///< bytes downloaded from the device
  std::uint64_t taken_over = 0;  ///< tiles that were first assigned to another device
  std::string error{};           ///< why it failed or could not take part; empty if neither
  bool is_reserve = false;       ///< whether it was not used, because it would not have saved time
  std::string reason{};          ///< if `is_reserve`: the expected or measured times with and without it

  /// Bytes that its threads copied between the matrices and pinned memory. Devices share copies of A and B, so that
  /// this may be less than `bytes_up + bytes_down`. 0 for operands that are not staged.
  std::uint64_t bytes_copied = 0;
};

/// The outcome of a call of a group.
struct DeviceGroupReport {
  std::uint64_t tiles = 0;             ///< tiles of C, or pieces of a batch
  double seconds = 0;                  ///< duration of the call, without planning
  std::vector<DeviceShare> devices{};  ///< in the group's order
};

/// Returns a summary for people: one line for the call and one for each device.
[[nodiscard]] TILEWRIGHT_API std::string to_string(const DeviceGroupReport& report);

/// Devices of one host, from any platforms, each with an engine of its own.
///
/// A call cuts C into tiles. Each device starts with a block of tiles that is proportional to its speed. A device that
/// finishes early takes tiles from the device that would take longest, so that all end together. Towards the end, a
/// slow device leaves its tiles to faster ones. A device that would not save time, because links or copies in host
/// memory are the limit, is left out unless the others fail. If calls of the same problem and options take longer than
/// expected, some of the next calls try fewer devices, and the fastest set of devices is kept. Each device gets its
/// operands from host memory over its own link: OpenCL drivers do not copy between devices of different contexts.
/// Devices that need the same rows of A or columns of B at about the same time read one copy of them in pinned memory.
///
/// Safe to use from many threads, whose calls run one after another. Functions of the user that run during a call, such
/// as log callbacks, may call the group again from the same thread. Copies share the memory kept between calls.
class DeviceGroup {
 public:
  /// Throws Error with
  ///   no_device              the list is empty
  ///   invalid_configuration  a device is listed twice with the same context
  TILEWRIGHT_API explicit DeviceGroup(std::vector<Engine> engines);

  /// Returns a group of every device of the host. A CPU that several platforms offer is included once.
  /// Throws Error(no_platform) if no OpenCL platform is installed, no_device if no platform has a device, and
  /// device_lost, out_of_memory or opencl_failure if a device cannot be used.
  [[nodiscard]] TILEWRIGHT_API static DeviceGroup all();

  [[nodiscard]] const std::vector<Engine>& engines() const { return engines_; }  ///< in the group's order

  /// Computes C = alpha op(A) op(B) + beta C, one product or a batch with strides, of f32 or f64. Blocks until C is
  /// complete. A batch is divided into pieces of several products; a device needs room for two products. Pieces are
  /// staged through pinned memory if TileTransfer asks for it and there is room.
  ///
  /// Accuracy: |C' - C| <= gamma_(k+2) |alpha| |A| |B| + gamma_(s+1) |beta| |C| element by element, where C' is the
  /// result and s is the number of slabs along k. A batch has s = 1. Devices of different kinds may round differently.
  ///
  /// If a device fails, the other devices do its tiles, and DeviceShare::error holds the reason. This covers every
  /// step: measuring speeds, planning, compiling, allocating and computing. A device without room for a tile is left
  /// out in the same way. The next call tries every device again.
  /// If C is not read (beta = 0, or HostOperands::c_in is another matrix), tiles that a failed device has partly
  /// written are computed again. Otherwise the call finishes all other tiles and then throws the device's error. Its
  /// message names the partly written tiles, whose content is unspecified. If no device is left, the call throws. Each
  /// tile of C is then complete or unchanged, except those that the message names.
  ///
  /// With TileTransfer::automatic, a CPU uses the operands in place. If operands whose rows interleave span more bytes
  /// than one of its buffers may have, their tiles are staged instead. A and B that are the same matrix count as
  /// interleaved.
  ///
  /// Throws Error with
  ///   unsupported_type           the type is neither f32 nor f64, a device lacks it, or there is an epilogue
  ///   invalid_batch              the batch is by offsets
  ///   invalid_leading_dimension  a leading dimension is smaller than a row (or column) of its matrix
  ///   size_overflow              a matrix has more bytes than 64-bit offsets can address
  ///   invalid_configuration      options.speeds has a wrong length or value, or no device can allocate tiles of
  ///                              these sizes
  ///   invalid_scalar             alpha or beta has an imaginary part
  ///   null_object                a matrix that is read or written is null
  ///   invalid_offset             a pointer is not aligned to the element type
  ///   overlapping_operands       C shares elements with A, B or c_in, or matrices C of the batch share elements
  ///   out_of_memory, device_lost, build_failed, opencl_failure   no device is left, or tiles are unspecified
  TILEWRIGHT_API DeviceGroupReport gemm(const GemmProblem& problem, const HostOperands& operands,
                                        const DeviceGroupOptions& options = {}) const;

  /// Releases the plan and the device memory that the last call left for the next call of the same form. The group's
  /// destructor releases them, too. If a function of the user calls this during gemm(), they are released when gemm()
  /// returns or throws.
  TILEWRIGHT_API void release_memory() const;

 private:
  struct Kept;

  std::vector<Engine> engines_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace tilewright
