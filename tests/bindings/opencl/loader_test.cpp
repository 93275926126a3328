// Which OpenCL library is opened. Each case runs in a process of its own, whose environment names a library.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>

#include "bindings/opencl/functions.hpp"
#include "support/expect_error.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {
namespace {

// The loader that is in use, by the status of a call: each function of the stub fails with CL_INVALID_DEVICE.
bool uses_stub() {
  cl_uint count = 0;
  return clGetPlatformIDs(0, nullptr, &count) == CL_INVALID_DEVICE;
}

// Whether the process has loaded the library that programs usually link.
bool is_loaded() { return dlopen("libOpenCL.so.1", RTLD_NOLOAD | RTLD_LAZY) != nullptr; }

void expect_nothing(const std::string& reason) {
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(0, nullptr, &count) == -1001);
  cl_int status = 0;
  CHECK(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, &status) == nullptr);
  CHECK(status == -1001);
  CHECK(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, nullptr) == nullptr);
  CHECK(mentions(opencl::problem(), reason));
  CHECK(mentions(opencl::problem(), "install"));
  CHECK(mentions(expect_error(ErrorCode::no_platform, [] { list_devices(); }), "install"));
  CHECK_FALSE(is_loaded());
  CHECK(opencl::path() == "");
}

}  // namespace

TEST_SUITE("opencl loader" * doctest::skip()) {
  TEST_CASE("usual library") {
    CHECK_FALSE(is_loaded());  // loading the program does not load OpenCL
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    CHECK(is_loaded());
    CHECK(opencl::problem() == "");
    CHECK(mentions(opencl::path(), "libOpenCL.so.1"));
  }

  TEST_CASE("missing library") { expect_nothing("/nonexistent/libOpenCL.so.1"); }

  TEST_CASE("library without functions") { expect_nothing("libm.so.6 lacks clBuildProgram"); }

  TEST_CASE("loaded library") {
    REQUIRE(dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr);
    CHECK(opencl::problem() == "");
  }

  TEST_CASE("library loaded from another path") {
    REQUIRE(dlopen(TILEWRIGHT_OPENCL_STUB, RTLD_LAZY | RTLD_LOCAL) != nullptr);
    CHECK(uses_stub());
    CHECK(opencl::problem() == "");
    CHECK(opencl::path() == TILEWRIGHT_OPENCL_STUB);
    CHECK_FALSE(is_loaded());
  }

  TEST_CASE("loaded library without functions") {
    REQUIRE(dlopen(TILEWRIGHT_OPENCL_WITHOUT_FUNCTIONS, RTLD_LAZY | RTLD_LOCAL) != nullptr);
    CHECK(opencl::problem() == "");
    CHECK(is_loaded());
  }

  TEST_CASE("named library before a loaded one") {
    REQUIRE(dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr);
    CHECK(uses_stub());
    CHECK(opencl::path() == TILEWRIGHT_OPENCL_STUB);
  }

  TEST_CASE("library after a failure") {
    expect_nothing("/nonexistent/libOpenCL.so.1");
    REQUIRE(setenv("TILEWRIGHT_OPENCL_LIBRARY", TILEWRIGHT_OPENCL_STUB, 1) == 0);
    CHECK(uses_stub());
    CHECK(opencl::problem() == "");
  }

  TEST_CASE("names of loaders") {
    CHECK(opencl::is_loader("/usr/lib/libOpenCL.so.1"));
    CHECK(opencl::is_loader("libOpenCL-1a2b3c4d.so.1.0.0"));
    CHECK_FALSE(opencl::is_loader("/usr/lib/libOpenCL"));
    CHECK_FALSE(opencl::is_loader("/usr/lib/libOpenCLInterceptor.so"));
    CHECK_FALSE(opencl::is_loader("/libOpenCL.so.1/libm.so.6"));
    CHECK_FALSE(opencl::is_loader(""));
  }
}

}  // namespace tilewright::test
