#include "tuning/roofline.hpp"

#include <doctest/doctest.h>

#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("roofline") {
  TEST_CASE("a device has a speed and a bandwidth, and doubles where it says so") {
    const auto roofline = tuning::measure_roofline(shared_engine(), {DataType::f32, DataType::f64});
    MESSAGE("f32 ", roofline.gflops_f32, ", f64 ", roofline.gflops_f64, " GFLOP/s, ", roofline.bandwidth_gbytes,
            " GB/s");
    CHECK(roofline.gflops_f32 > 0.1);
    CHECK((roofline.gflops_f64 > 0) == shared_engine().profile().fp64);
    CHECK(roofline.bandwidth_gbytes > 0.1);
  }

  TEST_CASE("types that are not asked for are not measured") {
    const auto roofline = tuning::measure_roofline(shared_engine(), {});
    CHECK(roofline.gflops_f32 == 0);
    CHECK(roofline.gflops_f64 == 0);
    CHECK(roofline.bandwidth_gbytes > 0.1);
  }
}

}  // namespace tilewright::test
