// Devices of a group in virtual time, which compute tiles that TileShares assigns: a discrete-event simulation without
// kernels, threads or clocks.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace tilewright::test {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// A device that computes its tiles one after another, and can hold some more.
struct SimulatedDevice {
  double speed = 1;           // tiles per second
  double expected = 1;        // tiles per second, as passed to TileShares
  double begins_at = 0;       // seconds; a late device still compiles kernels
  double fails_at = never;    // seconds
  double changes_at = never;  // seconds; from then on it has the later speed
  double later_speed = 1;     // tiles per second
  std::size_t room = 1;       // tiles that it holds, including the one that it computes
  double take_over = 0;       // seconds in which operands of a tile of another range arrive

  /// Returns the tiles per second at a time.
  double speed_at(double now) const { return now < changes_at ? speed : later_speed; }
  /// Returns how many tiles it would finish until a time if it never waited.
  double tiles_until(double now) const;
};

struct SimulatedGroup {
  std::uint64_t tiles = 1;
  std::vector<SimulatedDevice> devices{};
  std::vector<std::uint64_t> ends{};  // of the first ranges; empty: in proportion to the expected speeds
  bool loses_tiles = false;           // whether a failed device leaves a tile that cannot be computed again
  double host_rate = never;           // tiles per second that the host's memory can feed to all devices together

  /// Returns the earliest time at which devices could have finished all tiles if speeds, delays and failures were known
  /// in advance, by bisection. No schedule is faster: each device works all the time, the host at its limit.
  double optimum() const;
};

/// The outcome of a simulation.
struct SimulatedCall {
  double seconds = 0;                    // until the last tile was done
  std::vector<std::uint64_t> done_by{};  // tiles of each device
  std::uint64_t done = 0, lost = 0;      // tiles
  bool has_device = true;                // whether a device is left
};

/// Numbers for random groups.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  std::uint64_t up_to(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_); }
  double between(double least, double most) { return std::uniform_real_distribution<double>(least, most)(engine_); }
  bool one_of(std::uint64_t number) { return up_to(number - 1) == 0; }
  /// Returns a number whose logarithm is uniform.
  double log_between(double least, double most) { return std::exp(between(std::log(least), std::log(most))); }

 private:
  std::mt19937 engine_;
};

/// Simulates a call. Checks that each tile is done once and that devices never all wait.
SimulatedCall simulate(const SimulatedGroup& group);

}  // namespace tilewright::test
