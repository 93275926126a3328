// Copies of vectors whose increments a kernel does not accept.
#pragma once

#include "kernels/launch_sequence.hpp"

namespace tilewright::detail {

/// How a batch of vectors is stored, in elements. A negative step is taken as a signed number.
struct VectorSteps {
  std::uint64_t step = 1;    ///< from one element to the next
  std::uint64_t stride = 0;  ///< from one vector of the batch to the next
};

/// Returns the launch that copies `count` vectors of `length` elements from the call's matrix 0 to its matrix 1, which
/// both begin at element 0 of the first vector. Throws what LaunchSequence::build() throws.
LaunchSequence vector_copy(const Engine& engine, std::size_t element_bytes, std::uint64_t length, std::uint64_t count,
                           const VectorSteps& from, const VectorSteps& to);

}  // namespace tilewright::detail
