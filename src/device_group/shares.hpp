// Assigns tiles to devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::detail {

/// Assigns tiles 0 to count - 1, in one range per device. Times are seconds since the call began. Uses neither OpenCL
/// nor threads: the caller holds a lock.
///
/// A device gets a tile only if it is expected to finish it before all devices together, by their present speeds, could
/// have finished every tile. If all tiles take one device the same time and speeds are as expected, the call therefore
/// ends at the earliest possible time, whatever the ranges are. Speeds follow the last tiles of each device. A device
/// whose tile takes longer than expected, or that has not asked for a tile yet, is expected to need as long again.
class TileShares {
 public:
  /// `speeds` are expected tiles per second. A device whose speed is not positive and finite begins with no tiles. When
  /// it takes over tiles, it counts as fast as the slowest other device. A device in `reserve` gets tiles only after
  /// all others have failed; empty: no device. `ends` holds the end of each device's first range, in ascending order;
  /// empty: ranges are in proportion to the speeds. `take_over_seconds` is the time in which a device gets the operands
  /// of a tile of another range, while it computes others; empty: none.
  TileShares(std::uint64_t count, const std::vector<double>& speeds, const std::vector<bool>& reserve = {},
             const std::vector<std::uint64_t>& ends = {}, const std::vector<double>& take_over_seconds = {});

  /// Returns the next tile for a device that can start one: from its own range, from the range that would take longest,
  /// or from a failed device. Empty if the devices are expected to finish sooner without this device's help.
  std::optional<std::uint64_t> next(std::size_t device, double now);

  /// Whether a device in reserve is not needed yet.
  bool is_waiting(std::size_t device) const;

  void finished(std::size_t device, std::uint64_t tile, double now);

  /// Removes a device. Its unfinished tiles go to the others, except the `lost` tiles, which cannot be computed again.
  void failed(std::size_t device, const std::vector<std::uint64_t>& lost);

  /// Whether every tile is done or lost.
  bool is_over() const { return done_ + lost_ == count_; }
  bool has_device() const;

  std::uint64_t done() const { return done_; }
  std::uint64_t done_by(std::size_t device) const { return devices_[device].done; }
  std::uint64_t taken_over_by(std::size_t device) const { return devices_[device].taken_over; }
  double seconds_of(std::size_t device) const { return devices_[device].last - devices_[device].first; }

 private:
  struct Device {
    std::uint64_t begin = 0, end = 0;  // tiles of its own that are not started
    std::vector<std::uint64_t> busy{};
    std::uint64_t done = 0, taken_over = 0;
    double expected = 0;  // tiles per second
    double take_over_seconds = 0;
    std::array<double, 4> recent{};  // seconds of its last tiles, tile x at x modulo the size
    double since = 0;                // when it began the tile that it computes
    double first = 0, last = 0;      // when it started its first tile, and finished its last one
    bool is_started = false, is_here = false, is_alive = true;
    bool is_reserve = false;
    bool has_taken_over = false;  // whether its range is of another device

    std::uint64_t left() const { return end - begin; }
    double speed() const;
  };

  /// When a device is expected to finish tiles: tile x, from 1 on, `wait + x / speed` seconds from now. The first
  /// `busy` tiles are in progress.
  struct Forecast {
    double wait = 0, speed = 1;
    std::uint64_t busy = 0, left = 0;  ///< tiles in progress, and those of its first range that are not
    double take_over_seconds = 0;

    double seconds_for(std::uint64_t tiles) const { return wait + static_cast<double>(tiles) / speed; }
    /// Returns the seconds until the next tile would be finished that is not in progress.
    double seconds_for_next() const;
    /// Returns how many tiles that are not in progress the device would finish within this time.
    double more_tiles_in(double seconds) const;
  };

  Forecast forecast(const Device& device, double now) const;
  std::uint64_t unstarted() const;
  /// Whether the device is expected to finish one more tile before all devices together have finished all tiles.
  bool is_worth_a_tile(const Device& device, double now) const;
  bool take_over(Device& device, double now);
  bool takes_part(const Device& device) const { return device.is_alive && !is_waiting(device); }
  bool is_waiting(const Device& device) const;

  std::uint64_t count_, done_ = 0, lost_ = 0;
  std::vector<Device> devices_;
  std::vector<std::uint64_t> orphans_;
};

}  // namespace tilewright::detail
