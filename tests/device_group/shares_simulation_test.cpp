// Simulates devices with random speeds: every tile is done once, no device idles while it could help, and the call
// ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "device_group/portions.hpp"
#include "device_group/simulated_group.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

SimulatedGroup random_group(RandomNumbers& random) {
  SimulatedGroup s{.tiles = 1 + random.up_to(random.one_of(4) ? 5 : 400)};
  const std::uint64_t count = 1 + random.up_to(random.one_of(2) ? 3 : 63);
  for (std::uint64_t i = 0; i < count; ++i) {
    SimulatedDevice device{.speed = random.log_between(1e-3, 1e3), .room = 1 + random.up_to(2)};
    device.expected = device.speed;
    s.devices.push_back(device);
  }
  return s;
}

unsigned simulations() {
  return test_level() == TestLevel::quick ? 30 : test_level() == TestLevel::normal ? 1000 : 20000;
}

}  // namespace

TEST_SUITE("device group shares") {
  TEST_CASE("random devices, late and failing, do every tile once") {
    for (unsigned seed = 0; seed < simulations(); ++seed) {
      CAPTURE(seed);
      RandomNumbers random(seed);
      SimulatedGroup s = random_group(random);
      const double ideal = s.optimum();
      s.loses_tiles = random.one_of(3);
      const bool is_unexpected = random.one_of(2);
      for (SimulatedDevice& device : s.devices) {
        if (is_unexpected) device.expected = random.log_between(1e-3, 1e3);
        if (random.one_of(4)) device.begins_at = ideal * random.between(0, 3);
        if (random.one_of(3)) device.fails_at = ideal * random.between(0, 2);
      }
      simulate(s);
    }
  }

  TEST_CASE("devices as fast as expected end at the earliest possible time") {
    for (unsigned seed = 0; seed < simulations(); ++seed) {
      CAPTURE(seed);
      RandomNumbers random(seed);
      const SimulatedGroup s = random_group(random);
      constexpr double rounding = 1e-6;
      CHECK(simulate(s).seconds <= s.optimum() * (1 + rounding));
    }
  }

  TEST_CASE("speeds that are negative, infinite or NaN") {
    constexpr double infinity = never, nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> all{0, -1, infinity, -infinity, nan, 1e308, 1e308, 5e-324, 1, 3};
    for (unsigned seed = 0; seed < simulations(); ++seed) {
      CAPTURE(seed);
      RandomNumbers random(seed);
      SimulatedGroup s = random_group(random);
      std::vector<double> speeds;
      for (SimulatedDevice& device : s.devices) {
        device.speed = random.between(1, 2);
        device.expected = all[random.up_to(all.size() - 1)];
        speeds.push_back(device.expected);
      }
      const std::vector<std::uint64_t> ends = detail::portion_ends(s.tiles, speeds);
      CHECK(std::is_sorted(ends.begin(), ends.end()));
      CHECK(ends.back() == s.tiles);
      simulate(s);
    }
    CHECK(detail::portion_ends(12, {nan, 1, 0, 2, -3}) == std::vector<std::uint64_t>{0, 4, 4, 12, 12});
    CHECK(detail::portion_ends(12, {0, 0, nan}) == std::vector<std::uint64_t>{4, 8, 12});
    CHECK(detail::portion_ends(7, {1e308, 1e308}) == std::vector<std::uint64_t>{4, 7});
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    CHECK(detail::portion_ends(largest, {1}) == std::vector{largest});
  }
}

}  // namespace tilewright::test
