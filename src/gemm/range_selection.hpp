// The variant and the configuration for a product with a triangular or block triangular factor.
#pragma once

#include <optional>

#include "gemm/core_product.hpp"
#include "gemm/selector.hpp"

namespace tilewright::detail {

/// Returns a product of the same size whose k is the mean number of steps. Its variant suits the range, too.
GemmProblem shallow_like(const CoreProduct& product);

/// Returns the selection for a product with a range of k, from the one for shallow_like(). Returns nothing if no
/// configuration can leave out steps, or if too few work-groups would share the longest tiles, whose k is not divided.
/// A variant that the caller chose need not be fast.
std::optional<GemmSelection> selection_for_range(const GemmSelection& for_shallow, const CoreProduct& product,
                                                 const DeviceProfile& device, bool is_chosen = false);

}  // namespace tilewright::detail
