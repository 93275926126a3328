// A system of equations by LU in mixed precision: factored in f32, refined to the accuracy of f64.

#include <cstdint>
#include <cstdio>
#include <tilewright/lu.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::uint64_t n = 200;
  const Session session;
  if (!session.engine().profile().fp64) {
    std::puts("the device has no double precision");
    return 0;
  }

  // A = I n + (1 / (i + j + 1)), and B = A X with X of ones.
  std::vector<double> matrix(n * n), right_side(n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) {
      matrix[i * n + j] = (i == j ? static_cast<double>(n) : 0) + 1.0 / static_cast<double>(i + j + 1);
      right_side[i] += matrix[i * n + j];
    }
  const Buffer<double> a(session, matrix), b(session, right_side);
  const Buffer<std::int64_t> pivots(session, n), info(session, 1), iterations(session, 1);

  gesv(session.engine(), session.queue(),
       {.type = DataType::f64, .n = n, .nrhs = 1, .refinements = default_refinements},
       {.a = a, .pivots = pivots, .info = info, .b = b, .iterations = iterations})
      .wait();
  if (info.read()[0] != 0 || iterations.read()[0] < 0) {
    std::puts("A is singular or too ill-conditioned for f32: call gesv without refinements");
    return 1;
  }
  bool right = true;
  for (const double x : b.read()) right = is_close("x", x, 1) && right;
  std::printf("solved with %d refinements\n", static_cast<int>(iterations.read()[0]));
  return right ? 0 : 1;
}
