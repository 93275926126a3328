// The structure of a sparse matrix on the host: reading it, checking it, and sorting it by rows.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::detail {

/// op(A), sorted by rows. The elements of row i are those from offsets[i] to before offsets[i + 1].
template <class Index>
struct Rows {
  std::vector<Index> offsets{};
  std::vector<Index> columns{};
  std::vector<Index> permutation{};  ///< the position of each element's value; empty: the order of the elements
};

using AnyRows = std::variant<Rows<std::int32_t>, Rows<std::int64_t>>;

/// Reads a structure from the device after `waits`, validates it as structure.check says, and sorts it by rows. The
/// order of elements within a row is kept. `wide` selects 64-bit indices. Throws Error(invalid_structure), and the
/// errors of operands that cannot be read.
AnyRows read_rows(const cl::CommandQueue& queue, const SpmmProblem& problem, const SparseStructure& structure,
                  std::span<const cl_event> waits, bool wide);

RowStatistics statistics_of(const AnyRows& rows, std::uint64_t columns);

}  // namespace tilewright::detail
