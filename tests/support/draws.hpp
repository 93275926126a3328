#pragma once

#include <cstdint>

#include "verification/common/random_data.hpp"

namespace tilewright::test {

/// A reproducible sequence of random numbers.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t below(std::uint64_t end) { return verification::random_bits(seed_, next_++) % end; }
  bool one_in(std::uint64_t cases) { return below(cases) == 0; }

 private:
  std::uint64_t seed_, next_ = 0;
};

}  // namespace tilewright::test
