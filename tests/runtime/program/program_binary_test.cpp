#include "runtime/program/program_binary.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

std::size_t place(std::size_t device, std::size_t devices, const std::vector<std::size_t>& sizes) {
  return detail::place_of_binary(device, devices, sizes);
}

}  // namespace

TEST_SUITE("program binary") {
  TEST_CASE("a device's binary is found in any list of the driver") {
    CHECK(place(0, 1, {5}) == 0);
    CHECK(place(1, 3, {5, 6, 7}) == 1);
    CHECK(place(1, 3, {0, 6, 0}) == 1);
    CHECK(place(1, 2, {6}) == 0);     // PoCL 3 lists only the devices that it built for
    CHECK(place(1, 2, {6, 0}) == 0);  // under another device
    CHECK(place(2, 2, {0, 6}) == 1);  // of an unlisted device, such as a sub-device
  }

  TEST_CASE("a binary that could belong to another device is not used") {
    for (const auto& sizes : std::vector<std::vector<std::size_t>>{{}, {0, 0}, {5, 0, 7}, {5, 7}})
      expect_error(ErrorCode::opencl_failure, [&] { place(1, 3, sizes); });
  }
}

}  // namespace tilewright::test
