#include "kernels/operands/triangle_squares.hpp"

namespace tilewright::detail {

std::vector<TriangleSquares> triangle_squares(std::uint64_t begin, std::uint64_t end, std::uint64_t block) {
  std::vector<TriangleSquares> result;
  const std::uint64_t rows = end - begin;
  for (std::uint64_t half = block; half < rows; half *= 2) {
    const std::uint64_t whole = rows / (2 * half), rest = rows % (2 * half);
    if (whole > 0) result.push_back({begin, half, half, whole});
    if (rest > half) result.push_back({begin + whole * 2 * half, half, rest - half, 1});
  }
  return result;
}

}  // namespace tilewright::detail
