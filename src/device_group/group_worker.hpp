// The parts of a group's call, and the worker that does them on one device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_group/group_members.hpp"
#include "out_of_core/tile_worker.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::detail {

/// Does numbered parts of a call on one device. Only rest() and the destructor wait for the device.
class GroupWorker {
 public:
  virtual ~GroupWorker() = default;
  virtual bool takes_part() const = 0;
  virtual void start(std::uint64_t part) = 0;
  /// Returns whether there was anything to do. Throws if the device failed.
  virtual bool poll() = 0;
  virtual std::vector<std::uint64_t> take_finished() = 0;
  /// Parts of C that may be half written after an exception.
  virtual std::vector<std::uint64_t> partly_written() const = 0;
  virtual TileStatistics statistics() const = 0;
  /// Takes the operands of another call. Returns false if a new worker is needed.
  virtual bool restart(const HostOperands& operands) = 0;
  /// Releases the operands and ends the worker's threads after a call.
  virtual void rest() = 0;
};

/// How a call is cut into parts, and what does them on each device.
class GroupParts {
 public:
  virtual ~GroupParts() = default;
  /// The devices that the parts were planned for.
  virtual const GroupMembers& members() const = 0;
  virtual std::uint64_t count() const = 0;
  /// Parts per second expected of each device; 0 if the device does not take part.
  virtual std::vector<double> speeds() const = 0;
  /// The fraction of the whole work that a part is.
  virtual double work_of(std::uint64_t part) const = 0;
  /// The place of a part in C, for messages.
  virtual std::string place_of(std::uint64_t part) const = 0;
  /// Takes the operands of another call. To be called before workers are made or restarted. Throws Error.
  virtual void restart(const HostOperands& operands) = 0;
  /// Compiles and allocates. Throws if the device fails.
  virtual std::unique_ptr<GroupWorker> make_worker(std::size_t device) const = 0;
};

/// The plan of a group's last call and its workers with their memory. The same call again reuses them.
struct KeptParts {
  GemmProblem problem{};
  DeviceGroupOptions options{};
  std::unique_ptr<GroupParts> parts;
  std::vector<std::unique_ptr<GroupWorker>> workers;  // of parts; null: not made yet
};

/// Tiles of one product.
std::unique_ptr<GroupParts> tiles_of_product(const std::vector<Engine>& engines, const GemmProblem& problem,
                                             const HostOperands& operands, const DeviceGroupOptions& options);

/// Pieces of a batch: some consecutive products each.
std::unique_ptr<GroupParts> pieces_of_batch(const std::vector<Engine>& engines, const GemmProblem& problem,
                                            const HostOperands& operands, const DeviceGroupOptions& options);

/// The speeds of a device in a call: the caller's, or the measured ones. Limited, so that quotients of them are finite.
TransferSpeeds group_speeds(const Engine& engine, DataType type, const DeviceGroupOptions& options, std::size_t device);

/// Whether beta is not 0 in the type of the arithmetic.
bool group_reads_c(const GemmProblem& problem, const HostOperands& operands);

/// Does all parts of a call. `can_repeat`: parts that a failed device has half written can be done again. Keeps the
/// workers that did not fail.
DeviceGroupReport run_group(KeptParts& kept, const HostOperands& operands, bool can_repeat);

}  // namespace tilewright::detail
