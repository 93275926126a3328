// The untuned choice as a selection, and the cycles that the model of the device expects.
#pragma once

#include "gemm/selector.hpp"
#include "gemm/variant.hpp"

namespace tilewright::test {

inline detail::GemmSelection untuned_selection(const GemmProblem& product, const DeviceProfile& device) {
  const auto choice = detail::Operation<GemmProblem>::untuned(product, device);
  return {choice.variant, {choice.values}, choice.reason, true};
}

inline double cycles_of(const detail::GemmSelection& selection, const detail::CoreProduct& product,
                        const DeviceProfile& device) {
  return selection.variant->execution(selection.values.front(), product, device).cycles;
}

}  // namespace tilewright::test
