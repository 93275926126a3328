#include "tilewright/device.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

TEST_SUITE("device") {
  TEST_CASE("every listed device can be selected by its index") {
    const auto devices = list_devices();
    REQUIRE_FALSE(devices.empty());
    for (const Device& device : devices) {
      CAPTURE(device.index());
      const Device picked = pick_device(device.index());
      CHECK(picked.id == device.id);
      CHECK(picked.index() == device.index());
    }
  }

  TEST_CASE("a profile is complete and plausible") {
    for (const Device& device : list_devices()) {
      const DeviceProfile& profile = device.profile;
      CAPTURE(profile.name);
      CHECK_FALSE(profile.name.empty());
      CHECK_FALSE(profile.platform_name.empty());
      CHECK(profile.device_version.rfind("OpenCL ", 0) == 0);
      CHECK(profile.opencl_c_version.rfind("OpenCL C ", 0) == 0);
      CHECK_FALSE(profile.driver_version.empty());
      CHECK(profile.compute_units >= 1);
      CHECK(profile.global_memory_bytes >= profile.max_allocation_bytes);
      CHECK(profile.local_memory_bytes >= 1024);
      CHECK(profile.max_work_group_size >= 1);
      for (const std::size_t size : profile.max_work_item_sizes) CHECK(size >= 1);
      CHECK(profile.native_vector_width_f32 >= 1);
      CHECK(profile.fp64 == (profile.native_vector_width_f64 > 0));
      CHECK(profile.has_extension("cl_khr_fp64") == profile.fp64);
      CHECK_FALSE(profile.has_extension("cl_khr_fp"));
      if (profile.images) CHECK(profile.image2d_max_width >= 2048);
      CHECK(describe_device(device.id).name == profile.name);
    }
  }

  TEST_CASE("a part of the name selects a device in any case") {
    const Device& device = device_under_test();
    const std::string name = device.profile.name;
    const auto named_alike = [&](const Device& picked) {
      return upper(picked.profile.name).find(upper(name)) != std::string::npos;
    };
    CHECK(named_alike(pick_device(name)));
    CHECK(named_alike(pick_device(upper(name))));
    const Device by_platform = pick_device(upper(device.profile.platform_name));
    CHECK(by_platform.profile.platform_name == device.profile.platform_name);
  }

  TEST_CASE("the argument precedes TILEWRIGHT_DEVICE, which precedes the best device") {
    const std::string index = device_under_test().index();
    {
      const ScopedEnvironment variable("TILEWRIGHT_DEVICE", index);
      CHECK(pick_device().index() == index);
    }
    {
      const ScopedEnvironment variable("TILEWRIGHT_DEVICE", "no device has this name");
      CHECK(pick_device(index).index() == index);
      const auto message = expect_error(ErrorCode::no_device, [] { pick_device(); });
      CHECK(mentions(message, "TILEWRIGHT_DEVICE"));
      CHECK(mentions(message, "no device has this name"));
    }
    {
      const ScopedEnvironment variable("TILEWRIGHT_DEVICE", "");
      CHECK_NOTHROW(pick_device());
    }
  }

  TEST_CASE("by default a GPU precedes all other devices") {
    const ScopedEnvironment variable("TILEWRIGHT_DEVICE", std::nullopt);
    const auto devices = list_devices();
    const auto is_gpu = [](const Device& device) { return device.profile.type == DeviceType::gpu; };
    CHECK(is_gpu(pick_device()) == std::any_of(devices.begin(), devices.end(), is_gpu));
  }

  TEST_CASE("an unmatched name is an error that lists the devices, never another device") {
    const auto& there = device_under_test().profile.name;
    for (const char* wanted : {"no device has this name", "99:0", "0:99", ":", "0:", ":0", "0:0:0", "-1:0", "0:x",
                               "18446744073709551616:0"}) {
      CAPTURE(wanted);
      const auto message = expect_error(ErrorCode::no_device, [&] { pick_device(wanted); });
      CHECK(mentions(message, wanted));
      CHECK(mentions(message, there));
    }
  }

  TEST_CASE("a null device is refused") {
    expect_error(ErrorCode::null_object, [] { describe_device(nullptr); });
  }
}

}  // namespace tilewright::test
