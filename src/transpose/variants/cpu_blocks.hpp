// Blocks in the vector registers of a CPU, for the variants that move them.
#pragma once

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// As many elements as a vector register has room for.
std::int64_t native_vector(const TransposeProblem& problem, const DeviceProfile& device);

/// "vector is 1, 2, 4, 8 or 16", and 1 where elements are vectors themselves.
std::vector<Constraint<TransposeProblem>> vector_constraints();

}  // namespace tilewright::detail
