// Assigns tiles to devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::detail {

/// Assigns tiles 0 to count - 1, in one range per device. Times are seconds since the call began. Uses neither OpenCL
/// nor threads: the caller holds a lock.
class TileShares {
 public:
  /// `speeds` are expected tiles per second. A device whose speed is not positive and finite begins with no tiles. When
  /// it takes over tiles, it counts as fast as the slowest other device. A device in `reserve` gets tiles only after
  /// all others have failed; empty: no device.
  TileShares(std::uint64_t count, const std::vector<double>& speeds, const std::vector<bool>& reserve = {});

  /// Returns the next tile for a device that can start one: from its own range, from the range that would take longest,
  /// or from a failed device. Empty if another device is expected to finish all of these tiles before this device
  /// finishes one.
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
    double expected = 0;         // tiles per second
    double first = 0, last = 0;  // when it started its first tile, and finished its last one
    bool is_started = false, is_alive = true;
    bool is_reserve = false;

    std::uint64_t left() const { return end - begin; }
    double speed() const;
    double seconds_for(std::uint64_t tiles) const { return static_cast<double>(tiles) / speed(); }
    double seconds_left() const { return seconds_for(busy.size() + left()); }
  };

  /// Whether the device is expected to finish one of these tiles before any other device finishes its own tiles and all
  /// of these. `owner` has the tiles in its range; null if no device has.
  bool is_worth_a_tile(const Device& device, const Device* owner, std::uint64_t tiles) const;
  bool take_over(Device& device);
  bool is_waiting(const Device& device) const;

  std::uint64_t count_, done_ = 0, lost_ = 0;
  std::vector<Device> devices_;
  std::vector<std::uint64_t> orphans_;
};

}  // namespace tilewright::detail
