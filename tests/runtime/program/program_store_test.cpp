#include "runtime/program/program_store.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

const char* const good_source = "__kernel void f(__global int* x) { *x = VALUE; }";

}  // namespace

TEST_SUITE("program store") {
  TEST_CASE("a program is built once for each source and options") {
    detail::ProgramStore store;
    const cl::Context context = shared_context();
    const cl::Device device(device_under_test().id, true);
    const auto get = [&](const std::string& source, const std::string& options) {
      return store.get(context, device, {"a test", source, options})();
    };
    const cl_program first = get(good_source, "-DVALUE=1");
    CHECK(get(good_source, "-DVALUE=1") == first);
    CHECK(get(good_source, "-DVALUE=2") != first);
    CHECK(get(std::string(good_source) + "\n", "-DVALUE=1") != first);
    CHECK(store.statistics().compiled == 3);
    CHECK(store.statistics().reused == 1);
  }

  TEST_CASE("a failed build reports program, device, options and log, and is tried again") {
    detail::ProgramStore store;
    const cl::Device device(device_under_test().id, true);
    const detail::ProgramRequest bad{"a bad test", "__kernel void f(void) { undeclared_name = 1; }", "-DSOME_OPTION"};
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto message = expect_error(ErrorCode::build_failed, [&] { store.get(shared_context(), device, bad); });
      CHECK(mentions(message, "a bad test"));
      CHECK(mentions(message, device.getInfo<CL_DEVICE_NAME>()));
      CHECK(mentions(message, "-DSOME_OPTION"));
      CHECK(mentions(message, "undeclared_name"));
    }
    CHECK(store.statistics().compiled == 0);
  }

  TEST_CASE("threads that wait for a failing build get its error, too") {
    detail::ProgramStore store;
    const cl::Device device(device_under_test().id, true);
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&] {
        try {
          store.get(shared_context(), device, {"a bad test", "#error no", ""});
        } catch (const Error& error) {
          if (error.code() == ErrorCode::build_failed) ++failures;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(failures == 6);
  }
}

}  // namespace tilewright::test
