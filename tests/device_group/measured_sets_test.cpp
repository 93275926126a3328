// The choice between sets of devices by measured times. Times are simulated.
#include "device_group/measured_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "device_group/simulated_group.hpp"

namespace tilewright::test {
namespace {

using detail::DeviceSet;
using detail::MeasuredSets;
using Seconds = std::vector<double>;  // of 1, 2, ... devices

// A 16384 product in FP64 on up to four GPUs.
const Seconds expected{.188, .121, .115, .112};
const Seconds slow_memory{.209, .250, .280, .302};

// Sets of all devices, one fewer, and so on.
std::vector<DeviceSet> sets_of(std::size_t devices) {
  std::vector<DeviceSet> sets;
  for (std::size_t count = devices; count > 0; --count) {
    sets.push_back({std::vector<bool>(devices), expected[count - 1]});
    std::fill_n(sets.back().used.begin(), count, true);
  }
  return sets;
}

std::size_t devices_in(const MeasuredSets& sets) {
  return static_cast<std::size_t>(std::count(sets.devices().begin(), sets.devices().end(), true));
}

// A host that computes calls. The first call of another set prepares, and is not noted.
struct SimulatedHost {
  MeasuredSets sets;
  std::size_t last = 0;
  std::size_t changes = 0;  // of the set

  // Returns the time of each call without noise.
  Seconds compute(
      std::size_t calls, const Seconds& seconds, const std::function<double()>& noise = [] { return 1; }) {
    Seconds result;
    for (std::size_t call = 0; call < calls; ++call) {
      const std::size_t devices = devices_in(sets);
      result.push_back(seconds[devices - 1]);
      if (std::exchange(last, devices) == devices)
        sets.note(seconds[devices - 1] * noise());
      else
        ++changes;
    }
    return result;
  }
};

double mean(const Seconds& seconds) {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double median(Seconds seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

TEST_SUITE("measured sets of devices") {
  TEST_CASE("times as expected: sets that should be slower are never tried") {
    SimulatedHost host{MeasuredSets(sets_of(2))};
    host.compute(5000, expected);
    CHECK(host.changes == 1);
    SimulatedHost noisy{MeasuredSets(sets_of(2))};
    std::size_t call = 0;
    noisy.compute(5000, expected, [&] { return ++call % 2 == 0 ? 1.0 : 3.0; });
    CHECK(noisy.changes == 1);
  }

  TEST_CASE("times as expected: a set that should be nearly as fast is tried") {
    SimulatedHost host{MeasuredSets({{{true, true}, .200}, {{true, false}, .208}})};
    host.compute(8, {.180, .200});
    CHECK(devices_in(host.sets) == 1);
    SimulatedHost exact{MeasuredSets({{{true, true}, .200}, {{true, false}, .208}})};
    exact.compute(8, {.208, .200});
    CHECK(devices_in(exact.sets) == 2);
  }

  TEST_CASE("a set with more devices must be clearly faster, one with fewer as fast") {
    const auto after = [](std::size_t first, double of_both) {
      const DeviceSet one{{true, false}, 1}, both{{true, true}, 1};
      SimulatedHost host{MeasuredSets(first == 1 ? std::vector{one, both} : std::vector{both, one})};
      host.compute(20, {1, of_both});
      return devices_in(host.sets);
    };
    CHECK(after(2, 1.01) == 1);
    CHECK(after(2, .99) == 2);
    CHECK(after(1, .99) == 1);
    CHECK(after(1, .96) == 2);
  }

  TEST_CASE("slower than expected, but no other set can be faster") {
    SimulatedHost host{MeasuredSets({{{true, true}, 1}, {{true, false}, 2}})};
    host.compute(1000, {0, 1.9});
    CHECK(host.changes == 1);
  }

  TEST_CASE("slow memory: the fastest set is found within a few calls and kept") {
    for (const std::size_t devices : {2U, 3U, 4U}) {
      CAPTURE(devices);
      SimulatedHost host{MeasuredSets(sets_of(devices))};
      host.compute(4 * devices, slow_memory);
      CHECK(devices_in(host.sets) == 1);
      CHECK(host.sets.why_left_out(1) == "calls without it were faster: 0.209 s, 0.25 s with it");
      CHECK(mean(host.compute(1000, slow_memory)) < 1.005 * slow_memory.front());
    }
  }

  TEST_CASE("the fastest set is one between") {
    SimulatedHost host{MeasuredSets(sets_of(4))};
    host.compute(16, {.300, .200, .170, .190});
    CHECK(devices_in(host.sets) == 3);
  }

  TEST_CASE("a reason while a set is tried") {
    MeasuredSets sets(sets_of(2));
    sets.note(.25);
    CHECK(devices_in(sets) == 2);
    sets.note(.26);
    REQUIRE(devices_in(sets) == 1);
    CHECK(sets.why_left_out(1) == "calls with it took 0.25 s; this one tried without it");
  }

  TEST_CASE("a slower set is left after one call, and rarely tried again") {
    SimulatedHost host{MeasuredSets(sets_of(2))};
    const Seconds healthy{.182, .148};  // not as fast as expected
    CHECK(median(host.compute(8, healthy)) == healthy.back());
    host.compute(10000, healthy);
    CHECK(host.changes <= 1 + 2 * 15);  // 16, 32, ... 1024, and then every 1024 calls
    SimulatedHost clear{MeasuredSets(sets_of(2))};
    clear.compute(4, {.340, .250});
    CHECK(devices_in(clear.sets) == 1);
    clear.compute(1, {.340, .250});
    CHECK(devices_in(clear.sets) == 2);
  }

  TEST_CASE("noise of 30 %: the set is near the best one, and does not oscillate") {
    constexpr unsigned cases = 200;
    unsigned early = 0, late = 0;  // cases in which the set is more than 5 % slower than the best one
    for (unsigned seed = 0; seed < cases; ++seed) {
      RandomNumbers random(seed);
      Seconds seconds;
      for (std::size_t i = 0; i < 4; ++i) seconds.push_back(random.between(.2, .4));
      SimulatedHost host{MeasuredSets(sets_of(4))};
      const auto noise = [&] { return random.between(1, 1.3); };
      host.compute(20, seconds, noise);
      const double best = *std::min_element(seconds.begin(), seconds.end());
      const double kept = median(host.compute(12, seconds, noise));
      CAPTURE(seed);
      CHECK(kept <= 1.3 * best);  // the noise
      early += kept > 1.05 * best ? 1U : 0U;
      host.compute(1000, seconds, noise);
      CHECK(host.changes <= 30);
      const double in_the_end = median(host.compute(100, seconds, noise));
      CHECK(in_the_end <= 1.15 * best);
      late += in_the_end > 1.05 * best ? 1U : 0U;
    }
    CHECK(early <= cases / 10);
    CHECK(late <= cases / 20);
  }

  TEST_CASE("one slow call decides nothing for ever") {
    for (std::size_t slow = 0; slow < 40; ++slow) {
      CAPTURE(slow);
      SimulatedHost host{MeasuredSets(sets_of(2))};
      std::size_t call = 0;
      host.compute(60, slow_memory, [&] { return call++ == slow ? 5.0 : 1.0; });
      CHECK(median(host.compute(20, slow_memory)) == slow_memory.front());
    }
  }

  TEST_CASE("a lasting change is noticed at once, and former times do not count after it") {
    SimulatedHost host{MeasuredSets(sets_of(2))};
    host.compute(5000, {.240, .200});
    CHECK(median(host.compute(10, {.240, .200})) == .200);
    host.compute(8, {.250, .320});
    CHECK(median(host.compute(6, {.250, .320})) == .250);
    host.compute(7, {.400, .500});  // four to notice, and three for a trial
    CHECK(mean(host.compute(3, {.400, .500})) < .401);
  }

  TEST_CASE("a host that becomes slow and recovers") {
    for (const double noise : {1.0, 1.1}) {
      CAPTURE(noise);
      RandomNumbers random(3);
      const auto noisy = [&] { return random.between(1, noise); };
      SimulatedHost host{MeasuredSets(sets_of(4))};
      const Seconds healthy{.182, .148, .140, .136};
      host.compute(30, healthy, noisy);
      CHECK(median(host.compute(10, healthy, noisy)) <= 1.05 * healthy.back());
      host.compute(30, slow_memory, noisy);
      CHECK(median(host.compute(10, slow_memory, noisy)) == slow_memory.front());
      host.compute(60, healthy, noisy);
      CHECK(median(host.compute(10, healthy, noisy)) <= 1.05 * healthy.back());
    }
  }
}

}  // namespace tilewright::test
