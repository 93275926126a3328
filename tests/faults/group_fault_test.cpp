// A device of a group fails half-way: the other one does what it leaves, or the error says what of C is unspecified.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "faults/fault_shim.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::test {
namespace {

constexpr TransferSpeeds made_up{.upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5};

DeviceGroupOptions options_for(std::size_t devices, TileTransfer transfer) {
  return {.memory = 1 << 22,
          .transfer = transfer,
          .tile = {24, 32, 40},
          .speeds = std::vector<TransferSpeeds>(devices, made_up)};
}

struct Failure {
  const char* function;
  unsigned call;
};
constexpr Failure failures[] = {{"clCreateBuffer", 2},         {"clEnqueueNDRangeKernel", 3},
                                {"clEnqueueNDRangeKernel", 8}, {"clEnqueueWriteBuffer", 5},
                                {"clEnqueueReadBuffer", 3},    {"clEnqueueMapBuffer", 4},
                                {"clCreateCommandQueue", 2}};

// Whether every tile of C, as the options cut it, is done or as it was.
bool has_whole_tiles(const HostProduct<float>& product) {
  const GemmProblem& p = product.problem;
  for (std::uint64_t row = 0; row < p.m; row += 24)
    for (std::uint64_t column = 0; column < p.n; column += 32) {
      bool is_done = true, is_untouched = true;
      for (std::uint64_t i = row; i < std::min(p.m, row + 24); ++i)
        for (std::uint64_t j = column; j < std::min(p.n, column + 32); ++j) {
          const std::size_t at = 64 + i * p.ldc + j;
          is_done = is_done && HostProduct<float>::same(product.c[at], product.expected[at]);
          is_untouched = is_untouched && HostProduct<float>::same(product.c[at], product.before[at]);
        }
      if (!is_done && !is_untouched) return false;
    }
  return true;
}

}  // namespace

TEST_SUITE("group faults") {
  TEST_CASE("one of two devices fails: the other one does it all") {
    const DeviceGroup group({Engine(device_under_test()), Engine(device_under_test())});
    unsigned injected = 0;
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::automatic})
      for (const double beta : {0.0, 3.0})
        for (const Failure& failure : failures) {
          CAPTURE(failure.function);
          CAPTURE(failure.call);
          CAPTURE(beta);
          HostProduct<float> product({.m = 150, .n = 130, .k = 50}, 2, beta);
          std::string error;
          DeviceGroupReport report;
          faults::arm(failure.function, failure.call, CL_OUT_OF_RESOURCES);
          try {
            report = group.gemm(product.problem, product.operands, options_for(2, transfer));
          } catch (const Error& thrown) {
            error = thrown.what();
          }
          const bool fired = faults::disarm();
          injected += fired;
          if (error.empty()) {
            product.check_right();
            const auto failed = std::count_if(report.devices.begin(), report.devices.end(),
                                              [](const DeviceShare& share) { return !share.error.empty(); });
            CHECK(failed == (fired ? 1 : 0));
          } else {
            CHECK(fired);
            CHECK(beta != 0);
            CHECK_MESSAGE(mentions(error, "of C unspecified: the tile at row"), error);
          }
          product.reset();
          group.gemm(product.problem, product.operands, options_for(2, transfer));
          product.check_right();
          count_cases();
        }
    CHECK(injected > 10);
    count_kernel_of("device group");
  }

  TEST_CASE("no device is left: the error says so, and C holds whole tiles") {
    const DeviceGroup group({Engine(device_under_test())});
    for (const Failure& failure : failures) {
      CAPTURE(failure.function);
      HostProduct<float> product({.m = 150, .n = 130, .k = 50}, 2, 0);
      faults::arm(failure.function, failure.call, CL_OUT_OF_RESOURCES);
      std::string error;
      try {
        group.gemm(product.problem, product.operands, options_for(1, TileTransfer::staged));
      } catch (const Error& thrown) {
        error = thrown.what();
      }
      if (!faults::disarm()) continue;
      CHECK_MESSAGE(mentions(error, "no device of the group is left"), error);
      CHECK(has_whole_tiles(product));
      count_cases();
    }
  }

  TEST_CASE("a batch goes on with the other device") {
    const DeviceGroup group({Engine(device_under_test()), Engine(device_under_test())});
    constexpr std::uint64_t count = 40, side = 8, area = side * side;
    const std::vector<float> a(count * area, 1), b(count * area, 2);
    std::vector<float> c(count * area, 0);
    const GemmProblem problem{.m = side,
                              .n = side,
                              .k = side,
                              .batch = {.count = count, .stride_a = area, .stride_b = area, .stride_c = area}};
    for (const Failure& failure : {Failure{"clEnqueueNDRangeKernel", 3}, Failure{"clEnqueueReadBuffer", 2},
                                   Failure{"clEnqueueWriteBuffer", 4}}) {
      CAPTURE(failure.function);
      std::fill(c.begin(), c.end(), 0.0F);
      faults::arm(failure.function, failure.call, CL_OUT_OF_RESOURCES);
      const DeviceGroupReport report =
          group.gemm(problem, {.a = a.data(), .b = b.data(), .c = c.data()}, options_for(2, TileTransfer::staged));
      CHECK(faults::disarm());
      CHECK(std::all_of(c.begin(), c.end(), [](float element) { return element == 16; }));
      CHECK(report.devices[0].error.empty() != report.devices[1].error.empty());
      count_cases();
    }
  }
}

}  // namespace tilewright::test
