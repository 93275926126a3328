#include "kernels/operands/parts_alignment.hpp"

#include "kernels/launch.hpp"
#include "kernels/operands/stored_matrix.hpp"

namespace tilewright::detail {

std::uint64_t alignment_of_parts(std::uint64_t promised, std::initializer_list<std::uint64_t> offsets) {
  constexpr std::uint64_t largest_element = 16;  // bytes, of c128
  static_assert(workspace_alignment % (largest_offset_alignment * largest_element) == 0);
  std::uint64_t all = largest_offset_alignment;
  for (const std::uint64_t offset : offsets) all |= offset;
  return aligned_as_promised(promised, all);
}

}  // namespace tilewright::detail
