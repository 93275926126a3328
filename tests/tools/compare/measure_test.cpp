#include "compare/measure.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/system/stopwatch.hpp"

namespace tilewright::tool {
namespace {

constexpr double call_seconds = 1e-3;
constexpr std::chrono::milliseconds preparation{4};

}  // namespace

TEST_CASE("calls that overwrite their operands run one by one, each after its preparation, which is not timed") {
  int prepared = 0, calls = 0;
  bool is_fresh = false;
  const auto run = [&](unsigned count) {
    CHECK(count == 1);
    CHECK(is_fresh);
    is_fresh = false;
    ++calls;
    for (const detail::Stopwatch watch; watch.seconds() < call_seconds;) {
    }
  };
  const auto prepare = [&] {
    std::this_thread::sleep_for(preparation);
    is_fresh = true;
    ++prepared;
  };
  std::vector<Timed> timed{{.name = "overwrites", .run = run, .settle = {}, .prepare = prepare}};
  MeasureLimits limits;
  limits.runs = 3;
  measure_in_turns(timed, limits);
  CHECK(prepared == calls);
  CHECK(calls > 3);
  REQUIRE(timed[0].seconds.size() == 3);
  const double fastest = *std::min_element(timed[0].seconds.begin(), timed[0].seconds.end());
  CHECK(fastest >= call_seconds);
  CHECK(fastest < std::chrono::duration<double>(preparation).count());
}

TEST_CASE("other calls run back to back") {
  unsigned most = 0;
  std::vector<Timed> timed{{"keeps", [&](unsigned count) { most = std::max(most, count); }, {}}};
  MeasureLimits limits;
  limits.runs = 2;
  measure_in_turns(timed, limits);
  CHECK(most > 1);
  CHECK(timed[0].seconds.size() == 2);
}

}  // namespace tilewright::tool
