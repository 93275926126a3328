#pragma once

#include <cstdint>
#include <vector>

#include "verification/common/breadth.hpp"

namespace tilewright::verification {

/// How a matrix lies in device memory.
enum class Memory {
  banded,      ///< poisoned bands before and after it in the same buffer
  exact,       ///< the buffer ends with the matrix's last element, so that a checking runtime sees every step beyond
  sub_buffer,  ///< an exact sub-buffer of a buffer with poisoned bands
  page_begin,  ///< exact, after memory that nobody may touch, where kernels use host memory in place
  page_end,    ///< the same before such memory
};

/// The memories that a sweep draws from: half of them between pages without access, where kernels use host memory in
/// place. The tuner may run in the process that tries a kernel, which would end.
inline std::vector<Memory> memories_of(Breadth breadth) {
  std::vector<Memory> memories{Memory::banded, Memory::exact, Memory::sub_buffer};
  if (breadth != Breadth::edges)
    memories.insert(memories.end(), {Memory::page_end, Memory::page_begin, Memory::page_end});
  return memories;
}

/// How one matrix of a case is stored: `lines` rows (or columns) of `length` elements, `leading` elements apart.
struct StoredShape {
  std::uint64_t lines = 0;
  std::uint64_t length = 0;
  std::uint64_t leading = 0;

  /// Elements from the first to the last one, inclusive.
  std::uint64_t span() const { return lines == 0 || length == 0 ? 0 : (lines - 1) * leading + length; }
};

}  // namespace tilewright::verification
