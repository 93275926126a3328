#include "tilewright/error.hpp"

#include <doctest/doctest.h>

#include <new>
#include <set>
#include <string>

#include "runtime/device/opencl.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {

TEST_SUITE("error") {
  TEST_CASE("every code has a unique name") {
    std::set<std::string_view> names;
    const int last = static_cast<int>(ErrorCode::opencl_failure);
    for (int code = 0; code <= last; ++code) names.insert(to_string(static_cast<ErrorCode>(code)));
    CHECK(names.size() == static_cast<std::size_t>(last) + 1);
    CHECK(names.count("unknown") == 0);
    CHECK(to_string(ErrorCode::no_platform) == "no_platform");
    CHECK(to_string(ErrorCode::opencl_failure) == "opencl_failure");
  }

  TEST_CASE("an error carries its code, its message and the OpenCL status") {
    const Error error(ErrorCode::out_of_memory, "too much", CL_OUT_OF_RESOURCES);
    CHECK(error.code() == ErrorCode::out_of_memory);
    CHECK(std::string(error.what()) == "too much");
    CHECK(error.opencl_status() == CL_OUT_OF_RESOURCES);
    CHECK(Error(ErrorCode::no_device, "none").opencl_status() == CL_SUCCESS);
  }

  TEST_CASE("OpenCL statuses have their names") {
    CHECK(opencl_status_name(CL_SUCCESS) == "CL_SUCCESS");
    CHECK(opencl_status_name(CL_OUT_OF_RESOURCES) == "CL_OUT_OF_RESOURCES");
    CHECK(opencl_status_name(CL_INVALID_DEVICE_PARTITION_COUNT) == "CL_INVALID_DEVICE_PARTITION_COUNT");
    CHECK(opencl_status_name(-1001) == "CL_PLATFORM_NOT_FOUND_KHR");
    CHECK(mentions(opencl_status_name(-9999), "-9999"));
  }

  TEST_CASE("a failed OpenCL call becomes an error with the code of its cause") {
    const auto code_for = [](cl_int status) { return detail::opencl_error(status, "clCall").code(); };
    CHECK(code_for(CL_DEVICE_NOT_AVAILABLE) == ErrorCode::device_lost);
    CHECK(code_for(CL_INVALID_COMMAND_QUEUE) == ErrorCode::device_lost);
    CHECK(code_for(-9999) == ErrorCode::device_lost);
    CHECK(code_for(CL_MEM_OBJECT_ALLOCATION_FAILURE) == ErrorCode::out_of_memory);
    CHECK(code_for(CL_OUT_OF_HOST_MEMORY) == ErrorCode::out_of_memory);
    CHECK(code_for(CL_OUT_OF_RESOURCES) == ErrorCode::out_of_memory);
    CHECK(code_for(-1001) == ErrorCode::no_platform);
    CHECK(code_for(CL_INVALID_KERNEL_ARGS) == ErrorCode::opencl_failure);

    const Error error = detail::opencl_error(CL_INVALID_KERNEL_ARGS, "clCall");
    CHECK(mentions(error.what(), "clCall"));
    CHECK(mentions(error.what(), "CL_INVALID_KERNEL_ARGS"));
    CHECK(error.opencl_status() == CL_INVALID_KERNEL_ARGS);
  }

  TEST_CASE("exceptions of other libraries do not escape") {
    const auto message = expect_error(ErrorCode::device_lost, [] {
      detail::translated([] { throw cl::Error(CL_DEVICE_NOT_AVAILABLE, "clFinish"); });
    });
    CHECK(mentions(message, "clFinish"));
    expect_error(ErrorCode::out_of_memory, [] { detail::translated([] { throw std::bad_alloc(); }); });
    CHECK(detail::translated([] { return 7; }) == 7);
  }
}

}  // namespace tilewright::test
