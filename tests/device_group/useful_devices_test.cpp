// The choice of the devices that make a product faster.
#include "device_group/useful_devices.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tilewright::test {
namespace {

using detail::CopiedBytes;
using detail::PlannedDevice;
using detail::useful_devices;

constexpr double tera = 1e12, giga = 1e9;

// n x n x n with elements of this size: A is divided, B is read whole, C is written.
std::vector<bool> useful(const std::vector<PlannedDevice>& devices, double n, double element, double rate) {
  const double matrix = n * n * element;
  return useful_devices(devices, 2 * n * n * n, {2 * matrix, matrix}, [&](std::size_t) { return rate; });
}

const std::vector<PlannedDevice> two{{50 * tera, true}, {50 * tera, true}};

}  // namespace

TEST_SUITE("useful devices") {
  TEST_CASE("where products are the limit, every device is used") {
    CHECK(useful(two, 32768, 4, 50 * giga) == std::vector{true, true});
    CHECK(useful({{50 * tera, true}, {50 * tera, true}, {40 * tera, true}, {45 * tera, true}}, 65536, 4, 50 * giga) ==
          std::vector{true, true, true, true});
  }

  TEST_CASE("where copies are the limit, the fastest device is used alone") {
    CHECK(useful(two, 16384, 8, 30 * giga) == std::vector{true, false});
    CHECK(useful({{40 * tera, true}, {50 * tera, true}}, 4096, 4, 10 * giga) == std::vector{false, true});
  }

  TEST_CASE("more threads that copy make more devices useful") {
    const double matrix = 16384.0 * 16384 * 4;
    const auto rate = [](std::size_t staged) { return 40 * giga * static_cast<double>(staged); };
    CHECK(useful_devices(two, 2 * 16384.0 * 16384 * 16384, {2 * matrix, matrix}, rate) == std::vector{true, true});
  }

  TEST_CASE("devices without copies are always used, and devices that do not take part never") {
    CHECK(useful({{1 * tera, false}, {50 * tera, true}, {0, true}}, 16384, 4, 50 * giga) ==
          std::vector{true, true, false});
    CHECK(useful({{50 * tera, false}, {1 * tera, true}}, 1024, 4, 10 * giga) == std::vector{true, false});
    CHECK(useful({{50 * tera, false}, {1 * tera, false}}, 1024, 4, 10 * giga) == std::vector{true, true});
  }

  TEST_CASE("an unknown rate counts as free, a group of one device is used as it is") {
    CHECK(useful(two, 1024, 8, 0) == std::vector{true, true});
    CHECK(useful({{1, true}}, 1024, 8, 1) == std::vector{true});
  }

  TEST_CASE("the rate of copies is measured once") {
    const double rate = detail::host_copy_rate(2);
    CHECK(rate > 1e6);
    CHECK(detail::host_copy_rate(2) == rate);
  }
}

}  // namespace tilewright::test
