// Blocks in the vector registers of a CPU, for the variants that move them.
#pragma once

#include <cstdint>

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// The number of elements that fit into a vector register.
std::int64_t native_vector(const TransposeProblem& problem, const DeviceProfile& device);

/// Constraints of the parameter `vector`.
template <class Parameters>
inline constexpr Constraint<TransposeProblem> vector_exists{
    "vector is 1, 2, 4, 8 or 16",
    "OpenCL C has no other vectors",
    {&Parameters::vector},
    [](const Parameters& c, const TransposeProblem&, const DeviceProfile&) { return is_vector_width(c.vector); }};
template <class Parameters>
inline constexpr Constraint<TransposeProblem> vector_of_small_elements{
    "vector is 1 if elements have 16 bytes",
    "such elements are vectors already",
    {&Parameters::vector},
    [](const Parameters& c, const TransposeProblem& p, const DeviceProfile&) {
      return p.type.bytes() < 16 || c.vector == 1;
    }};

}  // namespace tilewright::detail
