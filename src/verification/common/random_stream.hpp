#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "verification/common/random_data.hpp"

namespace tilewright::verification {

/// A stream of random numbers, equal on all machines.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t bits() { return random_bits(seed_, next_++); }
  /// Returns a number below `end`; 0 if `end` is 0.
  std::uint64_t below(std::uint64_t end) { return end == 0 ? 0 : bits() % end; }
  /// Returns a number from `least` to `most`, inclusive.
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::uint64_t>(std::int64_t{most} - least) + 1));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  /// Returns a number in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
  /// Returns a number in [-1, 1).
  double symmetric() { return 2 * unit() - 1; }

  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

  /// Returns a number of either sign whose exponent is uniform in [least, most].
  template <class T>
  T of_any_size(int least, int most) {
    const double size = std::ldexp(1 + unit(), between(least, most));
    return static_cast<T>(below(2) == 0 ? size : -size);
  }

 private:
  std::uint64_t seed_, next_ = 0;
};

}  // namespace tilewright::verification
