// The pointer of a plan to its state.
#pragma once

#include <memory>
#include <utility>

namespace tilewright::detail {

/// Throws Error(null_object): the plan is empty, because it was moved from.
[[noreturn]] void refuse_moved_from();

/// A smart pointer that is null only after it was moved from. Using it then throws Error(null_object).
template <class Smart>
class PlanPointer : public Smart {
 public:
  PlanPointer(Smart&& state) noexcept : Smart(std::move(state)) {}  // NOLINT(google-explicit-constructor)

  typename Smart::element_type* operator->() const {
    if (this->get() == nullptr) refuse_moved_from();
    return this->get();
  }
  typename Smart::element_type& operator*() const { return *operator->(); }
};

}  // namespace tilewright::detail
