// How the work on vectors is divided among work-groups and work-items, by the kind of device.
#pragma once

#include <cstdint>

#include "tilewright/device.hpp"
#include "tilewright/vector.hpp"
#include "vector/form.hpp"

namespace tilewright::detail {

/// The parameters of cl/vector/elements.cl, and the number of work-groups. A component is a stored number, or a word of
/// bits that are moved.
struct VectorShape {
  std::int64_t width;    ///< components per vector load
  std::int64_t unroll;   ///< vectors that a work-item loads before it uses them
  std::int64_t sums;     ///< vectors of sums per work-item of a reduction
  std::int64_t group;    ///< work-items per work-group
  bool chunked;          ///< true: a work-item's vectors are contiguous; false: those of neighbours are interleaved
  bool aligned;          ///< vector loads begin at multiples of their size in memory
  std::uint64_t groups;  ///< work-groups
};

/// Depends on the device, the kernel, the type, n, and whether all increments are 1. So does the order of sums.
VectorShape shape_of(const VectorForm& form, const VectorProblem& problem, const DeviceProfile& device);

}  // namespace tilewright::detail
