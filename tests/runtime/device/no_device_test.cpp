// Runs in a process whose OpenCL loader finds one driver, support/driver_without_devices.cpp.
#include <doctest/doctest.h>

#include <string>

#include "support/environment.hpp"
#include "support/expect_error.hpp"
#include "support/icd_loader.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {

TEST_SUITE("no device") {
  TEST_CASE("platforms without a device: the list is empty, and the error says how to get a device" * doctest::skip()) {
    if (loader_shows_devices()) {
      MESSAGE("not tried: the OpenCL loader ignores OCL_ICD_VENDORS");
      return;
    }
    CHECK(list_devices().empty());
    for (const char* const wanted : {"", "0:0", "nvidia"}) {
      const std::string message = expect_error(ErrorCode::no_device, [&] { pick_device(wanted); });
      CHECK(mentions(message, "no device"));
      CHECK(mentions(message, "pocl-opencl-icd"));
    }
  }

  TEST_CASE("if the only platform fails, its error is thrown" * doctest::skip()) {
    if (loader_shows_devices()) {
      MESSAGE("not tried: the OpenCL loader ignores OCL_ICD_VENDORS");
      return;
    }
    const ScopedEnvironment status("TILEWRIGHT_TEST_DRIVER_STATUS", std::to_string(CL_INVALID_PLATFORM));
    const std::string message = expect_error(ErrorCode::opencl_failure, [] { pick_device(); });
    CHECK(mentions(message, "clGetDeviceIDs"));
    CHECK(mentions(message, "CL_INVALID_PLATFORM"));
  }
}

}  // namespace tilewright::test
