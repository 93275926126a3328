// A group that measures its calls: the time of a call in which a device fails does not count.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "device_group/engine_groups.hpp"
#include "faults/fault_shim.hpp"
#include "out_of_core/host_product.hpp"
#include "support/run_report.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::test {

TEST_SUITE("group measured faults") {
  TEST_CASE("fewer devices are not tried because of a call with a failed device") {
    constexpr double too_fast = 1e18;  // so that each call takes longer than expected
    const DeviceGroup group = two_engines();
    const DeviceGroupOptions options{.transfer = TileTransfer::staged,
                                     .tile = {24, 32, 40},
                                     .speeds = {2, {.host_copy = too_fast, .flops = too_fast}}};
    HostProduct<float> product({.m = 90, .n = 130, .k = 50}, 2, 0);
    const auto in_reserve = [&](bool fails) {
      product.reset();
      if (fails)
        faults::arm({"clEnqueueWriteBuffer", 1, CL_OUT_OF_RESOURCES, group.engines().back().context(),
                     faults::Failure::returned});
      const DeviceGroupReport report = group.gemm(product.problem, product.operands, options);
      if (fails) CHECK(faults::disarm());
      CHECK(report.devices.back().error.empty() != fails);
      product.check_right();
      count_cases();
      return std::count_if(report.devices.begin(), report.devices.end(),
                           [](const DeviceShare& share) { return share.is_reserve; });
    };
    CHECK(in_reserve(false) == 0);  // makes the plan
    CHECK(in_reserve(false) == 0);  // counts
    CHECK(in_reserve(true) == 0);
    CHECK(in_reserve(false) == 0);  // makes a worker for the device that failed
    CHECK(in_reserve(false) == 0);  // counts
    CHECK(in_reserve(false) == 1);
    count_kernel_of("device group");
  }
}

}  // namespace tilewright::test
