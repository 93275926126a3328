// Places of slabs on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tilewright::detail {

/// Assigns slabs to slots on the device. The least recently used slab makes room. Slabs are used back and forth, so
/// that is the slab that is needed last.
class SlabSlots {
 public:
  explicit SlabSlots(std::size_t slots) : held_(slots), turns_(slots) {
    for (std::size_t slot = 0; slot < slots; ++slot) turns_[slot] = order_.insert(order_.end(), slot);
  }

  // A copy would hold iterators of the original's list.
  SlabSlots(const SlabSlots&) = delete;
  SlabSlots& operator=(const SlabSlots&) = delete;
  SlabSlots(SlabSlots&&) = default;
  SlabSlots& operator=(SlabSlots&&) = default;

  struct Place {
    std::size_t slot;
    bool is_there;  ///< whether the slab is already in the slot
  };

  /// Returns the slot of a slab, and makes it the most recently used one.
  Place take(std::uint64_t slab) {
    const auto found = places_.find(slab);
    const bool is_there = found != places_.end();
    const std::size_t slot = is_there ? found->second : order_.front();
    order_.splice(order_.end(), order_, turns_[slot]);
    if (is_there) return {slot, true};
    if (held_[slot]) places_.erase(*held_[slot]);
    held_[slot] = slab;
    places_[slab] = slot;
    return {slot, false};
  }

  /// Empties a slot whose slab was never uploaded.
  void forget(std::size_t slot) {
    if (held_[slot]) places_.erase(*held_[slot]);
    held_[slot].reset();
    order_.splice(order_.begin(), order_, turns_[slot]);
  }

 private:
  std::vector<std::optional<std::uint64_t>> held_;
  std::list<std::size_t> order_;  // least recently used first
  std::vector<std::list<std::size_t>::iterator> turns_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace tilewright::detail
