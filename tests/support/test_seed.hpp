#pragma once

#include <cstdint>
#include <string>

#include "support/environment.hpp"

namespace tilewright::test {

/// The number that selects samples at the quick level: TILEWRIGHT_TEST_SEED, 1 if it is not set. tools/test.sh sets it
/// to the day.
inline std::uint64_t test_seed() {
  const std::string seed = environment("TILEWRIGHT_TEST_SEED");
  return seed.empty() ? 1 : std::stoull(seed);
}

}  // namespace tilewright::test
