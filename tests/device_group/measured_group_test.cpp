// Groups whose devices change between calls of one form, because calls take longer than expected.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_group/engine_groups.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::test {
namespace {

// Operations and bytes per second that no device reaches, so that each call takes longer than expected.
constexpr double too_fast = 1e18;

DeviceGroupOptions options_of(std::size_t devices, double flops = too_fast) {
  return {.transfer = TileTransfer::staged,
          .tile = {24, 32, 40},
          .speeds = {devices, {.host_copy = too_fast, .flops = flops}}};
}

std::size_t in_reserve(const DeviceGroupReport& report) {
  std::size_t devices = 0;
  for (const DeviceShare& share : report.devices) {
    CHECK(share.error.empty());
    CHECK(share.reason.empty() != share.is_reserve);
    devices += share.is_reserve ? 1U : 0U;
  }
  return devices;
}

// Computes a product, checks it, and returns the devices in reserve.
std::size_t reserve_in_call(const DeviceGroup& group, const GemmProblem& problem, double beta,
                            const DeviceGroupOptions& options, double alpha = 2) {
  HostProduct<float> product(problem, alpha, beta);
  const DeviceGroupReport report = group.gemm(product.problem, product.operands, options);
  product.check_right();
  count_kernel_of("device group");
  count_cases();
  return in_reserve(report);
}

constexpr GemmProblem problem{.m = 90, .n = 70, .k = 50};

}  // namespace

TEST_SUITE("device group that measures") {
  TEST_CASE("fewer devices are tried after two calls with the same plan; every result is right") {
    const DeviceGroup group = two_engines();
    for (int call = 0; call < 3; ++call) CHECK(reserve_in_call(group, problem, 0, options_of(2)) == 0);
    for (int call = 0; call < 2; ++call) CHECK(reserve_in_call(group, problem, 3, options_of(2)) == 1);
    for (int call = 0; call < 30; ++call) {
      CHECK(reserve_in_call(group, problem, call % 2, options_of(2)) <= 1);
      if (call % 8 == 7) group.release_memory();
      if (call % 8 == 3) CHECK(reserve_in_call(group, {.m = 40, .n = 30, .k = 20}, 0, options_of(2)) <= 1);
    }
  }

  TEST_CASE("the report says why a device is left out") {
    const DeviceGroup group = two_engines();
    HostProduct<float> product(problem, 2, 0);
    for (int call = 0; call < 3; ++call) group.gemm(product.problem, product.operands, options_of(2));
    const DeviceGroupReport report = group.gemm(product.problem, product.operands, options_of(2));
    CHECK(mentions(report.devices[1].reason, "calls with it took "));
    CHECK(mentions(to_string(report), "not used: calls with it took "));
  }

  TEST_CASE("calls as fast as expected use all devices") {
    const DeviceGroup group = two_engines();
    constexpr double slow = 1e3;
    for (int call = 0; call < 6; ++call) CHECK(reserve_in_call(group, problem, 0, options_of(2, slow)) == 0);
  }

  TEST_CASE("unknown rates of copies: all devices are used, however long a call takes") {
    const DeviceGroup group = two_engines();
    DeviceGroupOptions options = options_of(2);
    for (TransferSpeeds& speeds : options.speeds) speeds.host_copy = 0;
    for (int call = 0; call < 6; ++call) CHECK(reserve_in_call(group, problem, 0, options) == 0);
  }

  TEST_CASE("calls without products, or with other options, teach nothing") {
    const DeviceGroup group = two_engines();
    for (int call = 0; call < 6; ++call) CHECK(reserve_in_call(group, problem, 3, options_of(2), 0) == 0);
    for (unsigned call = 0; call < 6; ++call) {
      DeviceGroupOptions options = options_of(2);
      options.copy_threads += call % 2U;
      CHECK(reserve_in_call(group, problem, 0, options) == 0);  // each call makes its plan again
    }
  }

  TEST_CASE("sub-devices") {
    const std::vector<Engine> engines = engines_of_parts();
    if (engines.size() < 2) return count_skip("a group of parts of a device", "the device cannot be parted");
    const DeviceGroup group(engines);
    std::size_t most = 0;
    for (int call = 0; call < 12; ++call)
      most = std::max(most, reserve_in_call(group, {.m = 200, .n = 150, .k = 50}, 0, options_of(engines.size())));
    CHECK(most > 0);
  }

  TEST_CASE("batches") {
    constexpr std::uint64_t side = 4, count = 50, elements = side * side;
    const DeviceGroup group = two_engines();
    std::vector<float> a(count * elements), b(elements, 1), c(count * elements);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
    const GemmProblem batch{.m = side, .n = side, .k = side, .batch = {count, elements, 0, elements}};
    std::size_t most = 0;
    for (int call = 0; call < 12; ++call) {
      std::fill(c.begin(), c.end(), -1.0F);
      const DeviceGroupReport report = group.gemm(batch, {.a = a.data(), .b = b.data(), .c = c.data()}, options_of(2));
      for (std::size_t i = 0; i < c.size(); ++i) {
        const std::size_t row = i / side * side;
        CHECK(c[i] == a[row] + a[row + 1] + a[row + 2] + a[row + 3]);
      }
      const std::size_t left_out = in_reserve(report);
      if (call < 3) CHECK(left_out == 0);
      most = std::max(most, left_out);
      count_cases();
    }
    CHECK(most == 1);
  }

  TEST_CASE("calls inside a call neither learn nor disturb") {
    std::vector<Engine> engines{Engine(device_under_test()), Engine(device_under_test())};
    const DeviceGroup* of_callback = nullptr;
    for (Engine& engine : engines)
      engine.set_cache({.mode = CacheMode::read_write, .load = [&](std::string_view) -> std::optional<std::string> {
                          if (const DeviceGroup* const group = std::exchange(of_callback, nullptr))
                            for (int call = 0; call < 5; ++call)
                              CHECK(reserve_in_call(*group, {.m = 50, .n = 40, .k = 30}, 3, options_of(2)) == 0);
                          return std::nullopt;
                        }});
    const DeviceGroup group(engines);
    of_callback = &group;
    for (int call = 0; call < 3; ++call) CHECK(reserve_in_call(group, problem, 0, options_of(2)) == 0);
    CHECK(of_callback == nullptr);
    CHECK(reserve_in_call(group, problem, 0, options_of(2)) == 1);
  }
}

}  // namespace tilewright::test
