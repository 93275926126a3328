// The promise about offsets that an algorithm makes to the plans of its steps.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace tilewright::detail {

/// The largest offset alignment that kernels use, in elements: a vector of OpenCL C has at most 16.
inline constexpr std::uint64_t largest_offset_alignment = 16;

/// Returns the offset alignment that a plan may be promised for parts of a call's operands. `promised` is the promise
/// of the call itself. The parts begin `offsets` elements after their operands, or after the beginning of a workspace,
/// which is aligned well enough for every type. Use this function in every algorithm that enqueues plans of other
/// operations on parts of its operands, or on a workspace.
std::uint64_t alignment_of_parts(std::uint64_t promised, std::initializer_list<std::uint64_t> offsets);

}  // namespace tilewright::detail
