#include "transpose/variants/swapped.hpp"

namespace tilewright::detail {

std::string only_squares_in_place(const TransposeProblem& p, const DeviceProfile&) {
  if (!p.in_place) return "it works in place";
  if (p.trans == Transpose::no) return "it only transposes, but op(A) = A";
  if (p.m != p.n) return "the matrix is not square";
  if (p.lda != p.ldb) return "lda and ldb differ";
  return {};
}

Execution over_triangle(const TransposeProblem& p, std::int64_t tile, std::int64_t wg) {
  using namespace transpose_slots;
  const std::size_t tiles = ceil_div(p.n, tile), group = static_cast<std::size_t>(wg);
  return {.launches = {{.kernel = "transpose",
                        .arguments = with_common_arguments({index(p.n), a, index(p.lda)}, p),
                        .global = {(tiles + 1) * group, ceil_div(tiles, 2)},
                        .local = {group, 1}}}};
}

}  // namespace tilewright::detail
