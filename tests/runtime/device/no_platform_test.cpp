// Runs in a process whose OpenCL loader finds no driver: OCL_ICD_VENDORS names a missing folder.
#include <doctest/doctest.h>

#include "support/expect_error.hpp"
#include "support/icd_loader.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {

TEST_SUITE("no platform") {
  TEST_CASE("without any driver the error says how to get one" * doctest::skip()) {
    if (loader_shows_devices()) {
      MESSAGE("not tried: the OpenCL loader ignores OCL_ICD_VENDORS");
      return;
    }
    for (const auto& message : {expect_error(ErrorCode::no_platform, [] { list_devices(); }),
                                expect_error(ErrorCode::no_platform, [] { pick_device(); }),
                                expect_error(ErrorCode::no_platform, [] { pick_device("0:0"); })}) {
      CHECK(mentions(message, "install"));
      CHECK(mentions(message, "pocl-opencl-icd"));
    }
  }
}

}  // namespace tilewright::test
