#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tilewright::verification {

/// Deals its values in a pseudo-random order that is equal in every run. Each value is dealt once before any is
/// repeated. A few decks together therefore cover all values of all dimensions, well mixed.
template <typename T>
class ShuffledValues {
 public:
  ShuffledValues(std::vector<T> values, std::uint64_t seed)
      : values_(std::move(values)), next_(values_.size()), random_(seed) {}

  T next() {
    if (next_ == values_.size()) {
      for (std::size_t i = values_.size(); i > 1; --i) std::swap(values_[i - 1], values_[random_() % i]);
      next_ = 0;
    }
    return values_[next_++];
  }

  std::size_t size() const { return values_.size(); }

 private:
  std::vector<T> values_;
  std::size_t next_;
  std::mt19937_64 random_;
};

}  // namespace tilewright::verification
