// Simulates devices with random speeds: every tile is done once, no device idles while it could help, and the call
// ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device_group/portions.hpp"
#include "device_group/shares.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

using detail::TileShares;

constexpr double never = std::numeric_limits<double>::infinity();

// A device that computes its tiles one after another, and can hold some more.
struct SimulatedDevice {
  double speed = 1;      // tiles per second
  double expected = 1;   // tiles per second, as passed to TileShares
  double begins_at = 0;  // seconds; a late device still compiles kernels
  double fails_at = never;
  std::size_t room = 1;
  bool is_alive = true;
  std::vector<std::uint64_t> begun{};
  double done_at = never;  // end of its first tile

  double next_event(double now) const {
    if (!is_alive) return never;
    return std::min({begins_at > now ? begins_at : never, fails_at, done_at});
  }
};

struct Simulation {
  std::uint64_t tiles = 1;
  std::vector<SimulatedDevice> devices{};
  bool loses_tiles = false;  // whether a failed device leaves a tile that cannot be computed again

  std::vector<double> expected() const {
    std::vector<double> result;
    for (const SimulatedDevice& device : devices) result.push_back(device.expected);
    return result;
  }
  double all_speeds() const {
    return std::accumulate(devices.begin(), devices.end(), 0.0,
                           [](double sum, const SimulatedDevice& device) { return sum + device.speed; });
  }
};

class Simulator {
 public:
  explicit Simulator(Simulation simulation)
      : s_(std::move(simulation)), shares_(s_.tiles, s_.expected()), begun_(s_.tiles), done_(s_.tiles) {}

  // Returns when the last tile was done.
  double run() {
    const std::uint64_t max_events = 4 * s_.tiles + 8 * s_.devices.size();
    for (std::uint64_t event = 0; !shares_.is_over() && shares_.has_device(); ++event) {
      REQUIRE(event < max_events);
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < s_.devices.size(); ++i) moved |= step(i);
      }
      if (shares_.is_over() || !shares_.has_device()) break;
      check_no_needless_wait();
      double next = never;
      for (const SimulatedDevice& device : s_.devices) next = std::min(next, device.next_event(now_));
      REQUIRE(next < never);
      now_ = next;
    }
    check_tiles();
    return last_;
  }

 private:
  bool step(std::size_t i) {
    SimulatedDevice& device = s_.devices[i];
    if (!device.is_alive) return false;
    if (now_ >= device.fails_at) return fail(i);
    if (now_ < device.begins_at) return false;
    bool moved = false;
    if (now_ >= device.done_at) {
      const std::uint64_t tile = device.begun.front();
      device.begun.erase(device.begun.begin());
      shares_.finished(i, tile, now_);
      ++done_[tile];
      last_ = now_;
      device.done_at = device.begun.empty() ? never : now_ + 1 / device.speed;
      moved = true;
    }
    while (device.begun.size() < device.room) {
      const auto tile = shares_.next(i, now_);
      if (!tile) break;
      REQUIRE(*tile < s_.tiles);
      CHECK(begun_[*tile] == 0);  // no other device computes it at the same time
      CHECK(done_[*tile] == 0);
      begun_[*tile] = 1;
      if (device.begun.empty()) device.done_at = now_ + 1 / device.speed;
      device.begun.push_back(*tile);
      moved = true;
    }
    return moved;
  }

  bool fail(std::size_t i) {
    SimulatedDevice& device = s_.devices[i];
    device.is_alive = false;
    std::vector<std::uint64_t> lost;
    for (const std::uint64_t tile : device.begun) begun_[tile] = 0;
    if (s_.loses_tiles && !device.begun.empty()) lost.push_back(device.begun.front());
    lost_ += lost.size();
    shares_.failed(i, lost);
    device.begun.clear();
    device.done_at = never;
    return true;
  }

  // If no device is busy, tiles are left only for devices that are late.
  void check_no_needless_wait() const {
    const auto is_busy_or_late = [&](const SimulatedDevice& device) {
      return device.is_alive && (!device.begun.empty() || now_ < device.begins_at);
    };
    CHECK(std::any_of(s_.devices.begin(), s_.devices.end(), is_busy_or_late));
  }

  void check_tiles() const {
    const auto done = static_cast<std::uint64_t>(std::count(done_.begin(), done_.end(), 1U));
    CHECK(std::none_of(done_.begin(), done_.end(), [](unsigned times) { return times > 1; }));
    CHECK(done == shares_.done());
    if (shares_.has_device()) CHECK(done + lost_ == s_.tiles);
    std::uint64_t by_all = 0;
    for (std::size_t i = 0; i < s_.devices.size(); ++i) by_all += shares_.done_by(i);
    CHECK(by_all == done);
  }

  Simulation s_;
  TileShares shares_;
  std::vector<unsigned> begun_, done_;
  std::uint64_t lost_ = 0;
  double now_ = 0, last_ = 0;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t up_to(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_); }
  double between(double least, double most) { return std::uniform_real_distribution<double>(least, most)(engine_); }
  bool one_of(std::uint64_t number) { return up_to(number - 1) == 0; }
  double speed() { return std::pow(10, between(-3, 3)); }

 private:
  std::mt19937 engine_;
};

Simulation random_simulation(Random& random) {
  Simulation s{.tiles = 1 + random.up_to(random.one_of(4) ? 5 : 400)};
  const std::uint64_t count = 1 + random.up_to(random.one_of(2) ? 3 : 63);
  for (std::uint64_t i = 0; i < count; ++i) {
    SimulatedDevice device{.speed = random.speed(), .room = 1 + random.up_to(2)};
    device.expected = device.speed;
    s.devices.push_back(device);
  }
  return s;
}

unsigned simulations() {
  return test_level() == TestLevel::quick ? 300 : test_level() == TestLevel::normal ? 3000 : 100000;
}

}  // namespace

TEST_SUITE("device group shares") {
  TEST_CASE("random devices, late and failing, do every tile once") {
    for (unsigned seed = 0; seed < simulations(); ++seed) {
      CAPTURE(seed);
      Random random(seed);
      Simulation s = random_simulation(random);
      const double ideal = static_cast<double>(s.tiles) / s.all_speeds();
      s.loses_tiles = random.one_of(3);
      const bool is_unexpected = random.one_of(2);
      for (SimulatedDevice& device : s.devices) {
        if (is_unexpected) device.expected = random.speed();
        if (random.one_of(4)) device.begins_at = ideal * random.between(0, 3);
        if (random.one_of(3)) device.fails_at = ideal * random.between(0, 2);
      }
      Simulator(s).run();
    }
  }

  TEST_CASE("devices as fast as expected end together") {
    for (unsigned seed = 0; seed < simulations(); ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const Simulation s = random_simulation(random);
      double fastest = 0;
      for (const SimulatedDevice& device : s.devices) fastest = std::max(fastest, device.speed);
      // A device may start with one tile for a share of half a tile, and keeps the tiles that it holds.
      const double ideal = static_cast<double>(s.tiles) / s.all_speeds();
      CHECK(Simulator(s).run() <= 2 * ideal + 3 / fastest);
    }
  }

  TEST_CASE("speeds that are negative, infinite or NaN") {
    constexpr double infinity = never, nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> all{0, -1, infinity, -infinity, nan, 1e308, 1e308, 5e-324, 1, 3};
    for (unsigned seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      Simulation s = random_simulation(random);
      std::vector<double> speeds;
      for (SimulatedDevice& device : s.devices) {
        device.speed = random.between(1, 2);
        device.expected = all[random.up_to(all.size() - 1)];
        speeds.push_back(device.expected);
      }
      const std::vector<std::uint64_t> ends = detail::portion_ends(s.tiles, speeds);
      CHECK(std::is_sorted(ends.begin(), ends.end()));
      CHECK(ends.back() == s.tiles);
      Simulator(s).run();
    }
    CHECK(detail::portion_ends(12, {nan, 1, 0, 2, -3}) == std::vector<std::uint64_t>{0, 4, 4, 12, 12});
    CHECK(detail::portion_ends(12, {0, 0, nan}) == std::vector<std::uint64_t>{4, 8, 12});
    CHECK(detail::portion_ends(7, {1e308, 1e308}) == std::vector<std::uint64_t>{4, 7});
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    CHECK(detail::portion_ends(largest, {1}) == std::vector{largest});
  }
}

}  // namespace tilewright::test
