#pragma once

#include <span>

#include "tilewright/spmm.hpp"

namespace tilewright::detail {

/// The arrays of a structure on the host; those that its format does not have are empty.
template <class Index>
struct HostStructure {
  std::span<const Index> offsets, rows, columns;
};

/// Throws Error(invalid_structure), which tells the first place that is wrong. `check` is not none.
template <class Index>
void check_structure(const SpmmProblem& problem, const HostStructure<Index>& structure, StructureCheck check);

}  // namespace tilewright::detail
