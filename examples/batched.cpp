// A batch of products by strides, and one at offsets of the caller's choice.

#include <cstdint>
#include <tilewright/gemm.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::uint64_t count = 100, size = 8, area = size * size;
  const Session session;

  // Matrix x of A has all elements x; all products share B, whose elements are 1.
  std::vector<float> values(count * area);
  for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i / area);
  const Buffer<float> a(session, values), b(session, std::vector<float>(area, 1)), c(session, count * area);

  GemmProblem problem{.m = size, .n = size, .k = size};
  problem.batch = {.count = count, .stride_a = area, .stride_c = area};
  gemm(session.engine(), session.queue(), problem, {.a = a, .b = b, .c = c});
  bool right = is_close("the last product", c.read().back(), size * (count - 1.0));

  // The products of matrices 3 and 70 of A, stored to the places of 0 and 1 of C.
  const std::uint64_t of_a[] = {3 * area, 70 * area}, of_b[] = {0, 0}, of_c[] = {0, area};
  problem.batch = {.count = 2};
  gemm(session.engine(), session.queue(), problem,
       {.a = a, .b = b, .c = c, .offsets = {.a = of_a, .b = of_b, .c = of_c}});
  right = is_close("the product at an offset", c.read()[area], size * 70.0) && right;
  return right ? 0 : 1;
}
