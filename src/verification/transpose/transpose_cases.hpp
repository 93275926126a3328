#pragma once

#include <vector>

#include "verification/common/breadth.hpp"
#include "verification/transpose/transpose_case.hpp"

namespace tilewright::verification {

/// Cases for one configuration and one kind of element. Every size at a tile's edge, one below and one above it, and
/// the small and odd ones come up along both dimensions; so do both layouts, gaps, offsets, memories, factors and,
/// where asked for, batches, mixed as decks of cards are. The same in every run.
/// `common` has the variant, the complete configuration, the element, trans and in_place. What the variant cannot do on
/// the device is made a case that it can: with the same gaps on both sides, square, or without gaps.
std::vector<TransposeCase> transpose_cases(const DeviceProfile& device, const TransposeCase& common, bool batches,
                                           Breadth breadth);

}  // namespace tilewright::verification
