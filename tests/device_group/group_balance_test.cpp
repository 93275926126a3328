// Simulates groups of 16 to 64 devices: how close a call comes to the shortest time that is possible, also if a device
// is late, fails, becomes slow, or if the host's memory cannot feed all devices.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "device_group/simulated_group.hpp"
#include "device_group/tile_order.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

constexpr double balance = 1.05;
constexpr std::uint64_t tiles_for_each = 24;  // as many as the group makes for each device

unsigned seeds() { return test_level() == TestLevel::quick ? 1 : test_level() == TestLevel::normal ? 30 : 100; }

// Devices whose speeds differ by up to a factor of 100. Each can hold up to six tiles.
SimulatedGroup random_group(RandomNumbers& random, std::uint64_t devices, std::uint64_t tiles) {
  SimulatedGroup group{.tiles = tiles};
  for (std::uint64_t i = 0; i < devices; ++i) {
    SimulatedDevice device{.speed = random.log_between(1, 100), .room = 1 + random.up_to(5)};
    device.expected = device.speed;
    group.devices.push_back(device);
  }
  return group;
}

// Calls function(group, random) with random groups of 16, 32 and 64 devices.
template <class Function>
void for_random_groups(std::uint64_t tiles_of_device, const Function& function) {
  for (const std::uint64_t devices : {16U, 32U, 64U})
    for (unsigned seed = 0; seed < seeds(); ++seed) {
      CAPTURE(devices);
      CAPTURE(seed);
      RandomNumbers random(seed);
      function(random_group(random, devices, tiles_of_device * devices), random);
    }
}

double all_speeds(const SimulatedGroup& group) {
  double sum = 0;
  for (const SimulatedDevice& device : group.devices) sum += device.speed;
  return sum;
}

SimulatedDevice& any_device(SimulatedGroup& group, RandomNumbers& random) {
  return group.devices[random.up_to(group.devices.size() - 1)];
}

}  // namespace

TEST_SUITE("device group balance") {
  TEST_CASE("speeds as expected: a call ends within 5 % of the optimum, also with few tiles") {
    for (const std::uint64_t tiles : {1U, 2U, 5U, 24U})
      for_random_groups(tiles, [](const SimulatedGroup& group, RandomNumbers&) {
        const SimulatedCall call = simulate(group);
        CHECK(call.done == group.tiles);
        CHECK(call.seconds <= balance * group.optimum());
      });
  }

  TEST_CASE("ranges that are blocks of a grid, which are not in exact proportion to the speeds") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers&) {
      std::uint64_t side = 1;
      while (side * side < group.tiles) ++side;
      group.tiles = side * side;
      std::vector<double> speeds;
      for (const SimulatedDevice& device : group.devices) speeds.push_back(device.expected);
      for (const detail::CellBlock& block : detail::blocks_of_grid(side, side, speeds, {}))
        group.ends.push_back((group.ends.empty() ? 0 : group.ends.back()) + block.cells());
      CHECK(simulate(group).seconds <= balance * group.optimum());
    });
  }

  TEST_CASE("expected speeds that are wrong by up to a third") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers& random) {
      double misjudged = 0;
      for (SimulatedDevice& device : group.devices) {
        device.speed = 10 * std::sqrt(device.speed);  // 10 to 100: all compute several tiles
        device.expected = device.speed * random.log_between(2.0 / 3, 1.5);
        // A device takes as many tiles as it holds before it has measured one. They last up to a third longer than was
        // expected, in terms of their real time.
        misjudged = std::max(misjudged, static_cast<double>(device.room) / 3 / device.speed);
      }
      CHECK(simulate(group).seconds <= balance * group.optimum() + misjudged);
    });
  }

  TEST_CASE("a device that is late") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers& random) {
      any_device(group, random).begins_at = group.optimum() * random.between(0, 1.5);
      // The optimum knows when the device comes. Without that knowledge, other devices take tiles that they would leave
      // to it.
      constexpr double without_knowledge = 1.15;
      CHECK(simulate(group).seconds <= without_knowledge * group.optimum());
    });
  }

  TEST_CASE("a device that fails") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers& random) {
      any_device(group, random).fails_at = group.optimum() * random.between(0, 1);
      const SimulatedCall call = simulate(group);
      CHECK(call.done == group.tiles);
      CHECK(call.seconds <= balance * group.optimum());
    });
  }

  TEST_CASE("a device that becomes ten times slower") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers& random) {
      SimulatedDevice& device = any_device(group, random);
      device.changes_at = group.optimum() * random.between(0, 1);
      device.later_speed = device.speed / 10;
      const double held = static_cast<double>(device.room) / device.later_speed;
      CHECK(simulate(group).seconds <= balance * group.optimum() + held);
    });
  }

  TEST_CASE("tiles of other ranges, whose operands arrive late, are taken over only if that helps") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers& random) {
      double without = 0;  // taking over, if all ranges have the same number of tiles
      for (SimulatedDevice& device : group.devices) {
        device.speed = device.expected = random.between(1, 1.1);
        without = std::max(without, tiles_for_each / device.speed);
        device.take_over = random.between(1, 8);
      }
      for (std::size_t i = 1; i <= group.devices.size(); ++i) group.ends.push_back(i * tiles_for_each);
      constexpr double rounding = 1e-6;
      CHECK(simulate(group).seconds <= without * (1 + rounding));
      for (SimulatedDevice& device : group.devices) device.take_over = 1e6;
      const SimulatedCall call = simulate(group);
      for (const std::uint64_t tiles : call.done_by) CHECK(tiles == tiles_for_each);
      group.devices.front().fails_at = without / 2;  // now it does help
      CHECK(simulate(group).done == group.tiles);
    });
  }

  TEST_CASE("memory of the host that feeds only a part of the devices") {
    for_random_groups(tiles_for_each, [](SimulatedGroup group, RandomNumbers& random) {
      group.host_rate = all_speeds(group) * random.between(.1, 1);
      CHECK(simulate(group).seconds <= balance * group.optimum());
    });
  }
}

}  // namespace tilewright::test
