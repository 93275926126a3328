#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tilewright::detail {

/// Which slabs are in which places on the device. The one that was not used for the longest time makes room: as slabs
/// come back and forth, that is the one whose turn is last.
class SlabSlots {
 public:
  explicit SlabSlots(std::size_t slots) : used_(slots), held_(slots) {}

  struct Place {
    std::size_t slot;
    bool is_there;  ///< the slab is in it already
  };

  /// The place of a slab from now on.
  Place take(std::uint64_t slab) {
    ++clock_;
    if (const auto found = places_.find(slab); found != places_.end()) {
      used_[found->second] = clock_;
      return {found->second, true};
    }
    std::size_t oldest = 0;
    for (std::size_t i = 1; i < used_.size(); ++i)
      if (used_[i] < used_[oldest]) oldest = i;
    if (held_[oldest]) places_.erase(*held_[oldest]);
    held_[oldest] = slab;
    places_[slab] = oldest;
    used_[oldest] = clock_;
    return {oldest, false};
  }

  /// A slab that was taken but never came.
  void forget(std::size_t slot) {
    if (held_[slot]) places_.erase(*held_[slot]);
    held_[slot].reset();
    used_[slot] = 0;
  }

  std::size_t size() const { return used_.size(); }

 private:
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> used_;
  std::vector<std::optional<std::uint64_t>> held_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace tilewright::detail
