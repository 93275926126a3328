// The choice of the devices that make a product faster.
#include "device_group/useful_devices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_group/simulated_group.hpp"
#include "device_group/tile_order.hpp"

namespace tilewright::test {
namespace {

using detail::CellBlock;
using detail::CopiedBytes;
using detail::GroupCopies;
using detail::PlannedDevice;
using detail::useful_devices;

constexpr double tera = 1e12, giga = 1e9;

std::size_t number_of(const std::vector<bool>& used) {
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
}

// Copies of n x n x n with elements of this size: A and C are divided, each device reads B whole and copies it itself.
GroupCopies copies_in_bands(double n, double element, const std::vector<bool>& used) {
  const double matrix = n * n * element, devices = static_cast<double>(number_of(used));
  GroupCopies copies;
  for (const bool is_used : used) {
    const double part = is_used ? matrix / devices : 0;
    copies.devices.push_back({is_used ? part + matrix : 0, part});
    copies.in_host += is_used ? 2 * part + matrix : 0;
  }
  return copies;
}

std::vector<bool> useful(const std::vector<PlannedDevice>& devices, double n, double element, double rate) {
  return useful_devices(
      devices, 2 * n * n * n, [&](const std::vector<bool>& used) { return copies_in_bands(n, element, used); },
      [&](std::size_t) { return rate; });
}

const std::vector<PlannedDevice> two{{50 * tera, true}, {50 * tera, true}};

std::vector<PlannedDevice> equal_gpus(std::size_t count) {
  return std::vector<PlannedDevice>(count, {50 * tera, true, 50 * giga, 50 * giga});
}

}  // namespace

TEST_SUITE("useful devices") {
  TEST_CASE("where products are the limit, every device is used") {
    CHECK(useful(two, 32768, 4, 50 * giga) == std::vector{true, true});
    CHECK(useful({{50 * tera, true}, {50 * tera, true}, {40 * tera, true}, {45 * tera, true}}, 65536, 4, 50 * giga) ==
          std::vector{true, true, true, true});
    for (const std::size_t count : {8U, 16U, 64U})
      CHECK(number_of(useful(equal_gpus(count), 1 << 20, 4, 1000 * giga)) == count);
  }

  TEST_CASE("where copies are the limit, the fastest device is used alone") {
    CHECK(useful(two, 16384, 8, 30 * giga) == std::vector{true, false});
    CHECK(useful({{40 * tera, true}, {50 * tera, true}}, 4096, 4, 10 * giga) == std::vector{false, true});
  }

  TEST_CASE("where links are the limit, devices that only read more are left out") {
    const auto reads_all = [](const std::vector<bool>& used) {
      return GroupCopies{std::vector<CopiedBytes>(used.size(), {100 * giga, 0}), 0};
    };
    const auto free = [](std::size_t) { return 0.0; };
    CHECK(number_of(useful_devices(equal_gpus(4), 50 * tera, reads_all, free)) == 1);
    CHECK(number_of(useful_devices(equal_gpus(4), 5000 * tera, reads_all, free)) == 4);
  }

  TEST_CASE("more threads that copy make more devices useful") {
    const double n = 16384;
    const auto rate = [](std::size_t staged) { return 40 * giga * static_cast<double>(staged); };
    const auto copies = [&](const std::vector<bool>& used) { return copies_in_bands(n, 4, used); };
    CHECK(useful_devices(two, 2 * n * n * n, copies, rate) == std::vector{true, true});
  }

  TEST_CASE("devices without copies are always used, and devices that do not take part never") {
    CHECK(useful({{1 * tera, false}, {50 * tera, true}, {0, true}}, 16384, 4, 50 * giga) ==
          std::vector{true, true, false});
    CHECK(useful({{50 * tera, false}, {1 * tera, true}}, 1024, 4, 10 * giga) == std::vector{true, false});
    CHECK(useful({{50 * tera, false}, {1 * tera, false}}, 1024, 4, 10 * giga) == std::vector{true, true});
  }

  TEST_CASE("devices without copies that add little are left out where copies are the limit") {
    CHECK(useful({{1 * tera, false}, {50 * tera, true}}, 16384, 8, 30 * giga) == std::vector{false, true});
    CHECK(useful({{3 * tera, false}, {50 * tera, true}}, 16384, 8, 30 * giga) == std::vector{true, true});
    CHECK(useful({{1 * tera, false}}, 16384, 8, 30 * giga) == std::vector{true});
  }

  TEST_CASE("sets to try: fewer staged devices, and none without copies") {
    const auto copies = [](const std::vector<bool>& used) { return copies_in_bands(16384, 8, used); };
    const auto sets_of = [&](const std::vector<PlannedDevice>& devices, const std::vector<bool>& used) {
      const auto rate = [](std::size_t) { return 30 * giga; };
      const detail::DeviceChoice choice = detail::choice_of_devices(devices, used, 2e13, copies, rate);
      CHECK(choice.used == used);
      std::vector<std::vector<bool>> sets;
      for (const detail::DeviceSet& set : choice.sets) sets.push_back(set.used);
      for (std::size_t i = 0; i < devices.size(); ++i) CHECK(choice.reasons[i].empty() == used[i]);
      for (std::size_t i = 1; i < sets.size(); ++i) CHECK(choice.sets[i].expected > 0);
      return sets;
    };
    using Sets = std::vector<std::vector<bool>>;
    const PlannedDevice cpu{1 * tera, false}, slow{40 * tera, true}, fast{50 * tera, true};
    CHECK(sets_of({slow, fast, slow}, {true, true, true}) ==
          Sets{{true, true, true}, {true, true, false}, {false, true, false}});
    CHECK(sets_of({slow, fast, slow}, {true, true, false}) == Sets{{true, true, false}, {false, true, false}});
    CHECK(sets_of({slow, cpu}, {true, true}) == Sets{{true, true}, {true, false}, {false, true}});
    CHECK(
        sets_of({slow, cpu, fast}, {true, true, true}) ==
        Sets{{true, true, true}, {true, false, true}, {false, true, true}, {false, true, false}, {false, false, true}});
    CHECK(sets_of({cpu, cpu}, {true, true}) == Sets{{true, true}});
    CHECK(sets_of({slow}, {true}) == Sets{{true}});
    const auto unlimited = [](std::size_t) { return 0.0; };
    CHECK(detail::choice_of_devices(two, {true, true}, 2e13, copies, unlimited).sets.size() == 1);
    const Sets of_many = sets_of(equal_gpus(16), std::vector<bool>(16, true));
    std::vector<std::size_t> counts;
    for (const std::vector<bool>& set : of_many) counts.push_back(number_of(set));
    CHECK(counts == std::vector<std::size_t>{16, 8, 4, 2, 1});
  }

  TEST_CASE("an unknown rate counts as free, a group of one device is used as it is") {
    CHECK(useful(two, 1024, 8, 0) == std::vector{true, true});
    CHECK(useful({{1, true}}, 1024, 8, 1) == std::vector{true});
  }

  TEST_CASE("blocks share rows and columns, which are copied once if devices share copies") {
    // Four blocks of 2 x 2 cells. A row has 10 bytes of A, a column 100 of B, a cell 1 of C.
    const std::vector<CellBlock> blocks = detail::blocks_of_grid(4, 4, {1, 1, 1, 1}, {});
    const std::vector<bool> all(4, true);
    const GroupCopies alone = detail::copies_of_blocks(blocks, all, {10, 100}, {0, 1}, false);
    CHECK(alone.in_host == 4 * (2 * 10 + 2 * 100) + 16);
    CHECK(alone.devices[3].up == 220);
    CHECK(alone.devices[3].down == 4);
    CHECK(detail::copies_of_blocks(blocks, all, {10, 100}, {0, 1}, true).in_host == 4 * 10 + 4 * 100 + 16);
    // Devices that use the operands in place copy nothing.
    CHECK(detail::copies_of_blocks(blocks, {true, false, false, false}, {10, 100}, {1, 1}, true).in_host == 228);
  }

  TEST_CASE("no number of devices is slower than fewer, and what does not help is left out") {
    constexpr std::uint64_t side = 40;
    constexpr double n = 32768, matrix = n * n * 4;
    const auto blocks_of = [](const std::vector<bool>& used) {
      return detail::blocks_of_grid(side, side, {used.begin(), used.end()}, {matrix / side, matrix / side});
    };
    for (const double rate : {10 * giga, 30 * giga, 100 * giga, 1e5 * giga}) {
      const bool is_shared = rate == 30 * giga;
      CAPTURE(rate);
      const auto copies = [&](const std::vector<bool>& used) {
        return detail::copies_of_blocks(blocks_of(used), used, {matrix / side, matrix / side},
                                        {0, matrix / side / side}, is_shared);
      };
      double shortest = never;
      std::size_t most_used = 0;
      for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 8U, 12U, 16U, 32U, 63U, 64U}) {
        const std::vector<bool> used =
            useful_devices(equal_gpus(count), 2 * n * n * n, copies, [&](std::size_t) { return rate; });
        SimulatedGroup group{.tiles = side * side, .host_rate = rate / copies(used).in_host * side * side};
        const double speed = 50 * tera / (2 * n * n * n) * side * side;
        for (const CellBlock& block : blocks_of(used))
          group.ends.push_back((group.ends.empty() ? 0 : group.ends.back()) + block.cells());
        std::erase_if(group.ends, [last = std::uint64_t{0}](std::uint64_t end) mutable {
          const bool is_empty = end == last;
          last = end;
          return is_empty;
        });
        group.devices.assign(number_of(used), {.speed = speed, .expected = speed, .room = 3});
        const double seconds = simulate(group).seconds;
        CAPTURE(count);
        CHECK(seconds <= 1.02 * shortest);
        shortest = std::min(shortest, seconds);
        most_used = std::max(most_used, number_of(used));
      }
      CHECK((most_used < 64) == (rate < 1000 * giga));  // only the last rate feeds all of them
    }
  }

  TEST_CASE("the rate of copies is measured once") {
    const double rate = detail::host_copy_rate(2);
    CHECK(rate > 1e6);
    CHECK(detail::host_copy_rate(2) == rate);
  }
}

}  // namespace tilewright::test
