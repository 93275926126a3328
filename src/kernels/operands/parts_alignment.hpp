// The alignment of the parts that an algorithm passes to the plans of its steps.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/sizes.hpp"

namespace tilewright::detail {

/// The largest offset alignment that kernels use, in elements: a vector of OpenCL C has at most 16.
inline constexpr std::uint64_t largest_offset_alignment = 16;

/// Returns the offset alignment that a plan may be promised for parts of a call's operands. `promised` is the promise
/// of the call itself. The parts begin `offsets` elements after their operands, or after the beginning of a workspace,
/// which is aligned well enough for every type. Use this function in every algorithm that enqueues plans of other
/// operations on parts of its operands, or on a workspace.
std::uint64_t alignment_of_parts(std::uint64_t promised, std::initializer_list<std::uint64_t> offsets);

/// Returns the leading dimension of a matrix in a workspace whose rows (column-major: columns) have `length` elements.
/// Long ones begin at whole vectors.
constexpr std::uint64_t aligned_ld(std::uint64_t length) {
  constexpr auto multiple = static_cast<std::int64_t>(largest_offset_alignment);
  return length < largest_offset_alignment ? length : rounded_up(length, multiple);
}

}  // namespace tilewright::detail
