// What drives one device of a group.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tilewright/device_group.hpp"
#include "tilewright/tile_worker.hpp"

namespace tilewright::detail {

/// Does numbered parts of a call on one device; no call but the destructor waits for it.
class GroupWorker {
 public:
  virtual ~GroupWorker() = default;
  virtual bool takes_part() const = 0;
  virtual void start(std::uint64_t part) = 0;
  /// Whether there was anything to do. Throws Error where the device failed.
  virtual bool poll() = 0;
  virtual std::vector<std::uint64_t> take_finished() = 0;
  /// Parts that C may hold in pieces after an Error.
  virtual std::vector<std::uint64_t> partly_written() const = 0;
  virtual TileWorker::Statistics statistics() const = 0;
  /// Takes the operands of another call. False where another worker is needed.
  virtual bool restart(const HostOperands& operands) = 0;
  /// After a call: lets its operands go, and ends what threads it has.
  virtual void rest() = 0;
};

/// How a call is cut into parts, and what does them on each device.
class GroupParts {
 public:
  virtual ~GroupParts() = default;
  virtual std::uint64_t count() const = 0;
  /// Parts that a device is expected to do in a second.
  virtual std::vector<double> speeds() const = 0;
  /// The part of the whole work that one is.
  virtual double work_of(std::uint64_t part) const = 0;
  /// Where in C it is, for messages.
  virtual std::string place_of(std::uint64_t part) const = 0;
  /// Takes the operands of another call, before its workers are made or started again. Throws Error.
  virtual void restart(const HostOperands& operands) = 0;
  /// Compiles and allocates. Throws Error.
  virtual std::unique_ptr<GroupWorker> make_worker(std::size_t device) const = 0;
};

/// How the last call of a group was cut, and its workers with the memory that they hold: what the same call again
/// need not choose and allocate once more.
struct KeptParts {
  GemmProblem problem{};
  DeviceGroupOptions options{};
  std::unique_ptr<GroupParts> parts;
  std::vector<std::unique_ptr<GroupWorker>> workers;  // of parts; null: to be made
};

/// Tiles of one product.
std::unique_ptr<GroupParts> tiles_of_product(const std::vector<Engine>& engines, const GemmProblem& problem,
                                             const HostOperands& operands, const DeviceGroupOptions& options);

/// Pieces of a batch, of some products each.
std::unique_ptr<GroupParts> pieces_of_batch(const std::vector<Engine>& engines, const GemmProblem& problem,
                                            const HostOperands& operands, const DeviceGroupOptions& options);

/// Whether beta is not 0 in the type of the arithmetic.
bool group_reads_c(const GemmProblem& problem, const HostOperands& operands);

/// Does all parts of a call. `can_repeat`: those that a failed device has written in part, too. Keeps the workers that
/// are whole.
DeviceGroupReport run_group(const std::vector<Engine>& engines, KeptParts& kept, const HostOperands& operands,
                            bool can_repeat);

}  // namespace tilewright::detail
