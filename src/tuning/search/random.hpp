// Random numbers that are equal with every standard library, unlike the standard's distributions and std::shuffle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tilewright::tuning {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns 0 to count - 1. The bias of the remainder is far below what a search could notice.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tilewright::tuning
