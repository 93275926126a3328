#pragma once

#include <cstdint>

#include "support/test_level.hpp"
#include "support/test_seed.hpp"

namespace tilewright::test {

/// Selects one of `apart` samples at the quick level, other samples for each test_seed(). Selects all samples at other
/// levels. If samples come from nested loops, `apart` should share no factor with the lengths of the inner loops, so
/// that each value of the inner loops is selected.
class DailyShare {
 public:
  explicit DailyShare(std::uint64_t apart)
      : apart_(test_level() == TestLevel::quick ? apart : 1), turn_(test_seed() % apart_) {}

  /// Returns whether the next sample is selected.
  bool selects_next() { return turn_++ % apart_ == 0; }

 private:
  std::uint64_t apart_, turn_;
};

}  // namespace tilewright::test
