// Blocks in the vector registers of a CPU, for the variants that move them.
#pragma once

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// The number of elements that fit into a vector register.
std::int64_t native_vector(const TransposeProblem& problem, const DeviceProfile& device);

/// The constraints "vector is 1, 2, 4, 8 or 16" and "vector is 1 if elements have 16 bytes".
std::vector<Constraint<TransposeProblem>> vector_constraints();

}  // namespace tilewright::detail
