#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/lu.hpp"

namespace tilewright::detail {

/// Bytes of a pivot, and of info.
inline constexpr std::uint64_t integer_bytes = 8;

/// How a device factors: what the kernels of cl/lu/ are compiled with, and how many columns go together.
struct LuShape {
  bool by_items = false;        ///< a work-item does a leaf, as CPUs like it; else groups of them
  std::uint64_t leaf = 32;      ///< columns that one launch factors
  std::uint64_t capacity = 32;  ///< what it could: LEAF of the kernels
  std::uint64_t panel = 256;    ///< columns after which the rest of the matrix is updated; a multiple of `leaf`
  bool private_copy = false;    ///< by_items: a matrix is one leaf, small enough for a work-item's private memory
  std::uint64_t lanes = 1;      ///< columns that a work-item has side by side
  std::uint64_t rows = 1;       ///< of a leaf that a work-item holds
  std::size_t group = 256;      ///< work-items of a group
  std::size_t leaf_group = 256;
  std::size_t narrow = 64;
  std::uint64_t max_groups = 64;  ///< of a leaf whose candidates fit into local memory at once
  /// Groups of a leaf that may wait for one another; 0: none may. All of them must run at the same time, on whatever
  /// else the device is busy with.
  std::uint64_t resident_groups = 0;

  /// The -D options.
  std::string options(DataType type) const;
};

LuShape lu_shape(const DeviceProfile& device, const LuProblem& problem);

/// Whether groups of a launch may wait for one another on a device: groups that have begun run to their end beside the
/// others, and see what these write. Never on CPUs, where a thread does one group after another.
bool may_groups_wait(const DeviceProfile& device);

}  // namespace tilewright::detail
