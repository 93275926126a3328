#pragma once

#include <vector>

#include "verification/common/breadth.hpp"
#include "verification/transpose/transpose_case.hpp"

namespace tilewright::verification {

/// Returns cases for one configuration and one element type. Along both dimensions they contain small and odd sizes,
/// and sizes at each tile edge, one below and one above it. They also cover both layouts, gaps, offsets, placements,
/// factors and, if requested, batches, mixed by decks. Equal in every run. `common` sets the variant, the complete
/// configuration, the element, trans and in_place. An unsupported case is replaced by a supported one: with equal gaps,
/// square, or without gaps.
std::vector<TransposeCase> transpose_cases(const DeviceProfile& device, const TransposeCase& common, bool batches,
                                           Breadth breadth);

}  // namespace tilewright::verification
