// Facts of vector_tile for the choice of variants.
#pragma once

#include <cstdint>

#include "transpose/problem.hpp"

namespace tilewright::detail {

/// Returns the elements of a vector that vector_tile prefers.
std::int64_t preferred_vector(const TransposeProblem& problem);

}  // namespace tilewright::detail
