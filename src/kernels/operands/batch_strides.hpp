// The check of a batch's strides against the operands of an operation.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "tilewright/batch.hpp"

namespace tilewright::detail {

/// Throws Error(invalid_batch) if a stride outside `used` is not 0. Also throws if the batch is by offsets although the
/// operation takes none.
void check_strides(const Batch& batch, std::initializer_list<std::uint64_t Batch::*> used, bool takes_offsets = false);

}  // namespace tilewright::detail
