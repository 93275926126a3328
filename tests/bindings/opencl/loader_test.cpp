// Which OpenCL library is opened. Each case runs in a process of its own, whose environment names a library.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include "bindings/opencl/functions.hpp"
#include "support/expect_error.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {
namespace {

// Whether the process has loaded the library that programs usually link.
bool is_loaded() { return dlopen("libOpenCL.so.1", RTLD_NOLOAD | RTLD_LAZY) != nullptr; }

void expect_nothing(const std::string& reason) {
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(0, nullptr, &count) == -1001);
  cl_int status = 0;
  CHECK(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, &status) == nullptr);
  CHECK(status == -1001);
  CHECK(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, nullptr) == nullptr);
  CHECK(mentions(std::string(opencl::problem()), reason));
  CHECK(mentions(std::string(opencl::problem()), "install"));
  CHECK(mentions(expect_error(ErrorCode::no_platform, [] { list_devices(); }), "install"));
  CHECK_FALSE(is_loaded());
}

}  // namespace

TEST_SUITE("opencl loader" * doctest::skip()) {
  TEST_CASE("usual library") {
    CHECK_FALSE(is_loaded());  // loading the program does not load OpenCL
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    CHECK(is_loaded());
    CHECK(opencl::problem() == "");
  }

  TEST_CASE("missing library") { expect_nothing("/nonexistent/libOpenCL.so.1"); }

  TEST_CASE("library without functions") { expect_nothing("libm.so.6 lacks clBuildProgram"); }

  TEST_CASE("loaded library") {
    REQUIRE(dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr);
    CHECK(opencl::problem() == "");
  }

  TEST_CASE("library loaded from another path") {
    REQUIRE(dlopen(TILEWRIGHT_OPENCL_STUB, RTLD_LAZY | RTLD_LOCAL) != nullptr);
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(0, nullptr, &count) == CL_INVALID_DEVICE);
    CHECK(opencl::problem() == "");
    CHECK_FALSE(is_loaded());
  }
}

}  // namespace tilewright::test
