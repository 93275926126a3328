// The structure of a sparse matrix on the host: read, checked, and turned into rows.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::detail {

/// op(A) by rows. The elements of row i are those from offsets[i] to before offsets[i + 1].
template <class Index>
struct Rows {
  std::vector<Index> offsets{};
  std::vector<Index> columns{};
  std::vector<Index> permutation{};  ///< where each element's value is stored; empty: as the elements are
};

using AnyRows = std::variant<Rows<std::int32_t>, Rows<std::int64_t>>;

/// Reads a structure from the device and turns it into rows, of 64-bit indices where `wide` says so. An order of
/// columns within the rows is kept.
/// Throws Error(invalid_structure), and what operands that cannot be read throw.
AnyRows read_rows(const cl::CommandQueue& queue, const SpmmProblem& problem, const SparseStructure& structure,
                  StructureCheck check, std::span<const cl_event> waits, bool wide);

RowStatistics statistics_of(const AnyRows& rows, std::uint64_t columns);

}  // namespace tilewright::detail
