// How the work on vectors is cut: the one place that says so, by the kind of device.
#pragma once

#include <cstdint>

#include "tilewright/device.hpp"
#include "tilewright/vector.hpp"
#include "vector/operation.hpp"

namespace tilewright::detail {

/// The parameters of cl/vector/elements.cl, and how many groups there are.
struct VectorShape {
  std::int64_t width;   ///< numbers, or words of what is moved, that are read at once
  std::int64_t unroll;  ///< vectors that an item reads before it uses them
  std::int64_t sums;    ///< vectors of sums that an item of a reduction has
  std::int64_t group;   ///< work-items
  bool chunked;         ///< an item's vectors lie one after another
  bool aligned;         ///< vectors begin at whole vectors of memory
  std::uint64_t groups;
};

/// Depends on the device, the operation, the type, n, and whether the increments are 1: so does the order of sums.
VectorShape shape_of(VectorOperation operation, const VectorProblem& problem, const DeviceProfile& device);

}  // namespace tilewright::detail
