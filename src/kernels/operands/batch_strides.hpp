// The check of a batch's strides against the operands that an operation has.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "tilewright/batch.hpp"

namespace tilewright::detail {

/// Throws Error(invalid_batch) if a stride that is not in `used` is not 0, or if the batch is by offsets although the
/// operation takes none.
void check_strides(const Batch& batch, std::initializer_list<std::uint64_t Batch::*> used, bool takes_offsets = false);

}  // namespace tilewright::detail
