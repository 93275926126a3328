#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/matrix.hpp"
#include "verification/common/breadth.hpp"

namespace tilewright::verification {

/// Placement of a matrix in device memory.
enum class Memory {
  banded,      ///< poisoned bands before and after it in the same buffer
  exact,       ///< the buffer ends at the matrix's last element, so that a checking runtime detects accesses beyond it
  sub_buffer,  ///< an exact sub-buffer of a buffer with poisoned bands
  page_begin,  ///< exact, after inaccessible memory if kernels use host memory in place
  page_end,    ///< exact, before inaccessible memory if kernels use host memory in place
};

/// Returns the placements that a sweep draws from. Half of them are between inaccessible pages. The tuner's breadth
/// `edges` has none of these, because an access would end a tuner that runs kernels in its own process.
inline std::vector<Memory> memories_of(Breadth breadth) {
  std::vector<Memory> memories{Memory::banded, Memory::exact, Memory::sub_buffer};
  if (breadth != Breadth::edges)
    memories.insert(memories.end(), {Memory::page_end, Memory::page_begin, Memory::page_end});
  return memories;
}

/// Storage of one matrix of a case: `lines` rows or columns of `length` elements, `leading` elements apart.
struct StoredShape {
  std::uint64_t lines = 0;
  std::uint64_t length = 0;
  std::uint64_t leading = 0;

  /// Elements from the first to the last one, inclusive.
  std::uint64_t span() const { return lines == 0 || length == 0 ? 0 : (lines - 1) * leading + length; }
};

/// Returns the storage of a matrix with `gap` elements between its lines.
inline StoredShape stored_shape(Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t gap) {
  return layout == Layout::row_major ? StoredShape{rows, columns, columns + gap}
                                     : StoredShape{columns, rows, rows + gap};
}

/// Returns the index of element (i, j) of a stored matrix.
inline std::uint64_t index_in(const StoredShape& shape, Layout layout, std::uint64_t i, std::uint64_t j) {
  return layout == Layout::row_major ? i * shape.leading + j : j * shape.leading + i;
}

}  // namespace tilewright::verification
