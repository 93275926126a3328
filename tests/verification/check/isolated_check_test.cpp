// The parent process of a check, with shell commands as children.
#include "verification/check/isolated_check.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

using verification::CheckReport;

const std::string begin = R"(read request; echo '{"device":"some device","index":"0:1"}' >&3; )"
                          R"(echo '{"part":"f32"}' >&3; echo '{"case":"size=1"}' >&3; )";

CheckReport check(const std::string& words, const verification::CheckLimits& limits = {}) {
  return run_check({"sh", "-c", words}, {.operation = "gemm", .variant = "naive"}, limits);
}

}  // namespace

TEST_SUITE("isolated check") {
  TEST_CASE("executed cases are counted, and the first failure has its case") {
    const CheckReport right = check(begin + R"(echo '{"wrong":"","kernels":["a"]}' >&3; echo '{"case":"size=2"}' >&3; )"
                                            R"(echo '{"wrong":"","kernels":["a","b"]}' >&3; )"
                                            R"(echo '{"part":"f64","skipped":"none"}' >&3; echo '{"done":true}' >&3)");
    CHECK(right.device == "some device");
    CHECK(right.index == "0:1");
    CHECK(right.wrong.empty());
    REQUIRE(right.parts.size() == 2);
    CHECK(right.parts[0].cases == 2);
    CHECK(right.parts[0].kernels.size() == 2);
    CHECK(right.parts[1].skipped == "none");

    const CheckReport wrong = check(begin + R"(echo '{"wrong":"C(0, 0) is 1","kernels":["a"]}' >&3)");
    CHECK(wrong.wrong == "C(0, 0) is 1");
    CHECK(wrong.failed == "size=1");
  }

  TEST_CASE("a crashing child counts as a failure of its case") {
    const CheckReport crashed = check(begin + "kill -SEGV $$");
    CHECK(mentions(crashed.wrong, "signal 11"));
    CHECK(mentions(crashed.wrong, "past an edge of A, B or C"));
    CHECK(crashed.failed == "size=1");
    CHECK(mentions(check(begin + "exit 3").wrong, "exit status 3"));
  }

  TEST_CASE("a hanging child is ended, whether it waits or computes") {
    const CheckReport waiting = check(begin + "sleep 1000", {.idle_seconds = 0.2, .busy_seconds = 1000});
    CHECK(mentions(waiting.wrong, "timeout: no answer"));
    CHECK(mentions(waiting.wrong, "; idle for "));
    CHECK(waiting.failed == "size=1");
    const CheckReport working = check(begin + "while :; do :; done", {.idle_seconds = 1000, .busy_seconds = 0.2});
    CHECK(mentions(working.wrong, "CPU time limit reached"));
  }

  TEST_CASE("a child that cannot start is not a failure of a case") {
    CHECK_THROWS_WITH_AS(check(R"(read request; echo '{"failed":"no such device"}' >&3)"), "no such device",
                         std::runtime_error);
    CHECK(mentions(check("exit 127").wrong, "exit status 127"));
    CHECK(mentions(check("echo nonsense >&3; sleep 1000").wrong, "nonsense"));
  }
}

}  // namespace tilewright::test
