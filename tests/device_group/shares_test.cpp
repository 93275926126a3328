// Assignment of tiles to devices: each tile is done once, and all devices end together, also if one fails.
#include "device_group/shares.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tilewright::test {
namespace {

using detail::TileShares;

// A device with a fixed speed that may fail at a given time.
struct MadeUpDevice {
  double speed = 1;
  double fails_at = std::numeric_limits<double>::infinity();
  bool has_failed = false;
  std::vector<std::uint64_t> begun{};
  double free_at = 0;
};

struct Result {
  std::vector<unsigned> done;
  double seconds = 0;
};

Result simulate(std::uint64_t tiles, const std::vector<double>& expected, std::vector<MadeUpDevice> devices) {
  TileShares shares(tiles, expected);
  Result result{std::vector<unsigned>(tiles), 0};
  for (double now = 0; !shares.is_over() && shares.has_device() && now < 1e4; now += 0.01)
    for (std::size_t i = 0; i < devices.size(); ++i) {
      MadeUpDevice& device = devices[i];
      if (device.has_failed) continue;
      if (now >= device.fails_at) {
        shares.failed(i, {});
        device.has_failed = true;
        continue;
      }
      if (!device.begun.empty() && now >= device.free_at) {
        ++result.done[device.begun.front()];
        shares.finished(i, device.begun.front(), now);
        device.begun.erase(device.begun.begin());
        if (!device.begun.empty()) device.free_at = now + 1 / device.speed;
        result.seconds = now;
      }
      while (device.begun.size() < 2) {
        const auto tile = shares.next(i, now);
        if (!tile) break;
        if (device.begun.empty()) device.free_at = now + 1 / device.speed;
        device.begun.push_back(*tile);
      }
    }
  return result;
}

bool each_once(const Result& result) {
  return std::all_of(result.done.begin(), result.done.end(), [](unsigned times) { return times == 1; });
}

}  // namespace

TEST_SUITE("device group shares") {
  TEST_CASE("all devices end together, although speeds are not as expected") {
    const Result equal = simulate(100, {1, 1}, {{.speed = 1}, {.speed = 1}});
    CHECK(each_once(equal));
    CHECK(equal.seconds < 52);
    const Result unequal = simulate(100, {1, 1}, {{.speed = 4}, {.speed = 1}});
    CHECK(each_once(unequal));
    CHECK(unequal.seconds < 22.5);
    const Result many = simulate(120, {1, 1, 1, 1}, {{.speed = 1}, {.speed = 2}, {.speed = 4}, {.speed = 8}});
    CHECK(each_once(many));
    CHECK(many.seconds < 10);
  }

  TEST_CASE("a slow device leaves the last tiles to a fast one") {
    const Result result = simulate(64, {32, 1}, {{.speed = 32}, {.speed = 0.2}});
    CHECK(each_once(result));
    CHECK(result.seconds < 11);  // two tiles of the slow device, which it took at first
    CHECK(each_once(simulate(1, {1, 100}, {{.speed = 1}, {.speed = 100}})));
  }

  TEST_CASE("the others compute the tiles of a failed device") {
    for (const double fails_at : {0.0, 3.0, 30.0}) {
      const Result result = simulate(100, {1, 1, 1}, {{.speed = 1}, {.speed = 1, .fails_at = fails_at}, {.speed = 2}});
      CHECK(each_once(result));
    }
    const Result none = simulate(10, {1, 1}, {{.speed = 1, .fails_at = 2}, {.speed = 1, .fails_at = 3}});
    CHECK(std::count(none.done.begin(), none.done.end(), 0U) > 0);
    CHECK(std::count(none.done.begin(), none.done.end(), 2U) == 0);
  }

  TEST_CASE("a device in reserve gets no tile, and none is left for it") {
    TileShares shares(1, {1, 0}, {false, true});
    CHECK(shares.next(0, 0) == 0U);
    shares.finished(0, 0, 1);
    CHECK(shares.is_over());
  }

  TEST_CASE("a device in reserve waits until all others have failed") {
    TileShares shares(2, {1, 0, 1}, {false, true, false});
    CHECK(shares.is_waiting(1));
    CHECK_FALSE(shares.next(1, 0));
    CHECK(shares.next(0, 0) == 0U);
    shares.failed(0, {});
    CHECK(shares.is_waiting(1));
    shares.failed(2, {});
    CHECK_FALSE(shares.is_waiting(1));
    for (int tile = 0; tile < 2; ++tile) {
      const auto next = shares.next(1, 0);
      REQUIRE(next);
      shares.finished(1, *next, 1);
    }
    CHECK(shares.is_over());
    CHECK(shares.done_by(1) == 2);
  }

  TEST_CASE("lost tiles count as over") {
    TileShares shares(2, {1, 1});
    CHECK(shares.next(0, 0) == 0U);
    shares.failed(0, {0});
    CHECK(shares.next(1, 0) == 1U);
    CHECK_FALSE(shares.next(1, 0));
    shares.finished(1, 1, 1);
    CHECK(shares.is_over());
  }
}

}  // namespace tilewright::test
