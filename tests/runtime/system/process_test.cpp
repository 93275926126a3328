// The end of a process whose engines are static or never destroyed, and children made by fork().
#include <doctest/doctest.h>

#include <string>

#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/run_report.hpp"
#include "tilewright/cache.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

int run(const TemporaryDirectory& place, const std::string& what, const std::string& which) {
  const ScopedEnvironment mode("TILEWRIGHT_CACHE", "rw");
  const ScopedEnvironment no_leak_check("ASAN_OPTIONS", "detect_leaks=0");  // some children leak an engine on purpose
  const ScopedEnvironment directory("TILEWRIGHT_CACHE_DIR", place.file("cache"));
  return ChildProcess({TILEWRIGHT_PROCESS_WORKER, what, which}, place.file("words")).wait();
}

}  // namespace

TEST_SUITE("process") {
  TEST_CASE("a process exits normally whatever holds the engine, without OpenCL calls from static destructors") {
    for (const std::string holder : {"automatic", "static", "global", "leaked", "exit"}) {
      CAPTURE(holder);
      const TemporaryDirectory place;
      CHECK_MESSAGE(run(place, "end", holder) == 0, place.read("words"));
      CHECK(list_cache(place.file("cache")).size() == 1);  // saved nevertheless
      CHECK_MESSAGE(run(place, "end", holder) == 0, place.read("words"));
      CHECK_MESSAGE(place.read("words").find("loaded 1") != std::string::npos, place.read("words"));
      count_cases();
    }
    for (const std::string holder : {"unused", "thread", "plan", "packed", "event"}) {
      CAPTURE(holder);
      const TemporaryDirectory place;
      CHECK_MESSAGE(run(place, "end", holder) == 0, place.read("words"));
      count_cases();
    }
  }

  TEST_CASE("a child made by fork() gets an error instead of hanging") {
    for (const std::string what : {"used", "probe", "new", "exit"}) {
      CAPTURE(what);
      const TemporaryDirectory place;
      CHECK_MESSAGE(run(place, "fork", what) == 0, place.read("words"));
      count_cases();
    }
  }
}

}  // namespace tilewright::test
