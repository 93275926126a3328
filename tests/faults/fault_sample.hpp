// Selects the calls of a function that fail in a test.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/environment.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {

/// Draws at random; TILEWRIGHT_TEST_SEED, 1 if it is not set, and `name` determine the draw.
inline std::mt19937 seeded_random(const std::string& name) {
  const std::string seed = environment("TILEWRIGHT_TEST_SEED");
  return std::mt19937(static_cast<unsigned>(std::hash<std::string>()(name + (seed.empty() ? "1" : seed))));
}

/// Numbers from 1 to `count`, in ascending order: all at the full level, otherwise up to 8 (normal) or 2 (quick), drawn
/// at random.
inline std::set<unsigned> calls_to_fail(const std::string& name, unsigned count) {
  const unsigned most = test_level() == TestLevel::full ? count : test_level() == TestLevel::normal ? 8 : 2;
  std::mt19937 random = seeded_random(name);
  std::set<unsigned> calls;
  while (calls.size() < std::min(most, count))
    calls.insert(most >= count ? static_cast<unsigned>(calls.size()) + 1
                               : std::uniform_int_distribution<unsigned>(1, count)(random));
  return calls;
}

/// The ways in which a call fails: all of `ways`; at the quick level half of them, drawn at random.
template <class Way>
std::vector<Way> ways_to_fail(const std::string& name, std::vector<Way> ways) {
  if (test_level() != TestLevel::quick) return ways;
  std::mt19937 random = seeded_random(name);
  std::shuffle(ways.begin(), ways.end(), random);
  ways.resize((ways.size() + 1) / 2);
  return ways;
}

}  // namespace tilewright::test
