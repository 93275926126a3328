// Lists that can be constants.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

namespace tilewright::detail {

/// A list of at most `capacity` elements, which it holds itself. A constant with more elements does not compile.
template <class T, std::size_t capacity>
class FixedList {
 public:
  constexpr FixedList() = default;
  constexpr FixedList(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }

  /// Throws std::out_of_range if the list is full.
  constexpr void push_back(const T& element) { elements_.at(size_++) = element; }

  constexpr const T* begin() const { return elements_.data(); }
  constexpr const T* end() const { return elements_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t index) const { return elements_[index]; }
  constexpr const T& front() const { return elements_.front(); }

 private:
  std::array<T, capacity> elements_{};
  std::size_t size_ = 0;
};

}  // namespace tilewright::detail
