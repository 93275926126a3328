// Parts of a group's call, and the worker that computes them on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_group/group_members.hpp"
#include "device_group/measured_forms.hpp"
#include "device_group/measured_sets.hpp"
#include "out_of_core/tile_worker.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::detail {

/// Computes numbered parts of a call on one device. Only rest(), the destructor, and start() and poll() after a failure
/// wait for the device.
class GroupWorker {
 public:
  virtual ~GroupWorker() = default;
  /// Whether start() may be called.
  virtual bool can_start() const = 0;
  virtual void start(std::uint64_t part) = 0;
  /// Returns whether there was anything to do. Throws Error if the device failed, after waiting for all commands.
  virtual bool poll() = 0;
  virtual std::vector<std::uint64_t> take_finished() = 0;
  /// After an exception: the parts of C that may be partly written.
  virtual std::vector<std::uint64_t> partly_written() const = 0;
  virtual TileStatistics statistics() const = 0;
  /// Begins another call with the operands. Returns false if the call needs a new worker.
  virtual bool restart(const HostOperands& operands) = 0;
  /// After a call: releases the operands and ends the worker's threads.
  virtual void rest() = 0;
};

/// How a call is cut into parts, and how its workers are made.
class GroupParts {
 public:
  virtual ~GroupParts() = default;
  /// The devices that the parts were planned for.
  virtual const GroupMembers& members() const = 0;
  virtual std::uint64_t count() const = 0;
  /// Expected parts per second of each device; 0 if the device does not take part.
  virtual std::vector<double> speeds() const = 0;
  /// Returns which devices wait in reserve, because they would not make the call faster.
  virtual std::vector<bool> reserve() const = 0;
  /// Returns why a device waits in reserve.
  virtual std::string why_reserve(std::size_t device) const = 0;
  /// Returns the devices in use, and sets that may be faster if copies are slower than expected.
  virtual const std::vector<DeviceSet>& sets() const = 0;
  /// Returns the end of each device's first range of parts; empty: ranges are in proportion to the speeds.
  virtual std::vector<std::uint64_t> ends() const { return {}; }
  /// Returns the seconds in which each device gets the operands of a part of another range; empty: none.
  virtual std::vector<double> take_over_seconds() const { return {}; }
  /// Returns the fraction of the work that a part is.
  virtual double work_of(std::uint64_t part) const = 0;
  /// Returns the place of a part in C, for messages.
  virtual std::string place_of(std::uint64_t part) const = 0;
  /// Begins another call with the operands. Must be called before workers are made or restarted. Throws Error.
  virtual void restart(const HostOperands& operands) = 0;
  /// Compiles and allocates. Throws Error if the device fails.
  virtual std::unique_ptr<GroupWorker> make_worker(std::size_t device) const = 0;
};

/// The plan of a group's last call and its workers with their memory. Another call of the same form reuses them.
struct KeptParts {
  GemmProblem problem{};
  DeviceGroupOptions options{};
  std::vector<bool> used{};  // devices that do not wait in reserve; empty: not known
  std::unique_ptr<GroupParts> parts;
  std::vector<std::unique_ptr<GroupWorker>> workers;  // one for each device; null: not made yet
  MeasuredForms measured;                             // outlives the plan
};

/// Cuts one product into tiles. The devices of `wanted` are used if one of them can be, and otherwise, or if `wanted`
/// is empty, those that the model chooses.
std::unique_ptr<GroupParts> tiles_of_product(const std::vector<Engine>& engines, const GemmProblem& problem,
                                             const HostOperands& operands, const DeviceGroupOptions& options,
                                             const std::vector<bool>& wanted = {});

/// Cuts a batch into pieces of several consecutive products. `wanted` as for tiles_of_product(), but all devices are
/// used if it is empty.
std::unique_ptr<GroupParts> pieces_of_batch(const std::vector<Engine>& engines, const GemmProblem& problem,
                                            const HostOperands& operands, const DeviceGroupOptions& options,
                                            const std::vector<bool>& wanted = {});

/// Returns the speeds of a device in a call: the caller's or the measured ones, limited so that quotients stay finite.
TransferSpeeds group_speeds(const Engine& engine, DataType type, const DeviceGroupOptions& options, std::size_t device);

/// Returns the bytes per second that the threads of this number of staged devices copy in host memory together.
/// `host_copy` is the rate of one thread, which counts if the options have speeds.
double group_copy_rate(const DeviceGroupOptions& options, double host_copy, std::size_t staged);

/// Whether a call reads C: beta is not 0 after rounding to the type of the sums.
bool group_reads_c(const GemmProblem& problem, const HostOperands& operands);

/// Computes all parts of a call. `can_repeat`: parts that a failed device has partly written can be computed again.
/// Keeps the workers that did not fail.
DeviceGroupReport run_group(KeptParts& kept, const HostOperands& operands, bool can_repeat);

}  // namespace tilewright::detail
