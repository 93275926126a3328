// Positions of the matrices of a batched operand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace tilewright::detail {

/// Distances in elements from an operand's first element to its matrices: one per product of a batch, or a single one
/// for all.
class BatchOffsets {
 public:
  BatchOffsets(std::uint64_t count, std::uint64_t stride) : count_(stride == 0 ? 1 : count), stride_(stride) {}
  explicit BatchOffsets(std::span<const std::uint64_t> offsets)
      : count_(offsets.size()), by_offsets_(true), offsets_(offsets) {
    if (offsets.empty()) return;
    const auto [least, most] = std::minmax_element(offsets.begin(), offsets.end());
    first_ = *least;
    last_ = *most;
  }

  std::uint64_t count() const { return count_; }
  bool by_offsets() const { return by_offsets_; }
  std::uint64_t stride() const { return stride_; }  ///< valid unless by_offsets()
  std::uint64_t operator[](std::uint64_t x) const { return by_offsets_ ? parts_ * offsets_[x] : x * stride_; }
  std::uint64_t first() const { return first_; }
  std::uint64_t last() const { return by_offsets_ || count_ == 0 ? last_ : (count_ - 1) * stride_; }

  /// Returns the same positions in smaller elements, `parts` of which make up one element.
  BatchOffsets in_parts(std::uint64_t parts) const {
    BatchOffsets result = *this;
    for (std::uint64_t* const value : {&result.stride_, &result.first_, &result.last_, &result.parts_}) *value *= parts;
    return result;
  }

 private:
  std::uint64_t count_;
  std::uint64_t stride_ = 0;
  bool by_offsets_ = false;
  std::span<const std::uint64_t> offsets_{};
  std::uint64_t parts_ = 1;  ///< parts per element of offsets_
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace tilewright::detail
