#pragma once

#include <span>

#include "tilewright/spmm.hpp"

namespace tilewright::detail {

/// The arrays of a structure on the host. Arrays that the format does not use are empty.
template <class Index>
struct HostStructure {
  std::span<const Index> offsets, rows, columns;
};

/// Throws Error(invalid_structure), which names the first invalid position. `check` must not be none.
template <class Index>
void check_structure(const SpmmProblem& problem, const HostStructure<Index>& structure, StructureCheck check);

}  // namespace tilewright::detail
