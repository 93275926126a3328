// Memory between pages without access.
#include "verification/common/guarded_pages.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <string>

#include "support/child_process.hpp"

namespace tilewright::test {
namespace {

constexpr std::size_t bytes = 10000;

// Accesses a byte of memory that starts or ends at a page edge: "begin -1".
int touch(const std::string& argument) {
  std::signal(SIGSEGV, SIG_DFL);
  using verification::GuardedPages;
  const bool begins = argument.starts_with("begin");
  const GuardedPages pages(bytes, begins ? GuardedPages::Edge::begin : GuardedPages::Edge::end);
  volatile char* const data = static_cast<volatile char*>(pages.data());
  data[std::stol(argument.substr(argument.find(' ')))] = 1;
  return 0;
}

int run_touch(const std::string& argument) {
  return run_in_child([&] { return touch(argument); });
}

}  // namespace

TEST_SUITE("guarded pages") {
  TEST_CASE("an access past the edge ends the process, and accesses inside do not") {
    const std::string last = std::to_string(bytes - 1), past = std::to_string(bytes);
    CHECK(run_touch("begin 0") == 0);
    CHECK(run_touch("begin " + last) == 0);
    CHECK(run_touch("end 0") == 0);
    CHECK(run_touch("end " + last) == 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers turn a signal into an exit
    CHECK(run_touch("begin -1") == 128 + SIGSEGV);
    CHECK(run_touch("end " + past) == 128 + SIGSEGV);
#else
    CHECK(run_touch("begin -1") != 0);
    CHECK(run_touch("end " + past) != 0);
#endif
  }
}

}  // namespace tilewright::test
