#include "tuning/measure/roofline.hpp"

#include <doctest/doctest.h>

#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("roofline") {
  TEST_CASE("a device has a speed and a bandwidth, and f64 if its profile says so") {
    const auto roofline =
        tuning::measure_roofline(shared_engine(), {DataType::f16, DataType::bf16, DataType::f32, DataType::f64});
    CHECK(roofline.gflops.at(DataType::f32) > 0.1);
    CHECK(roofline.gflops.at(DataType::f16) == roofline.gflops.at(DataType::f32));  // f16 products are computed in f32
    CHECK(roofline.gflops.contains(DataType::f64) == shared_engine().profile().fp64);
    CHECK(roofline.bandwidth_gbytes > 0.1);
  }

  TEST_CASE("types that are not requested are not measured") {
    const auto roofline = tuning::measure_roofline(shared_engine(), {});
    CHECK(roofline.gflops.empty());
    CHECK(roofline.bandwidth_gbytes > 0.1);
  }
}

}  // namespace tilewright::test
