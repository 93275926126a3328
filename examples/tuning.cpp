// The fastest variant of a product, found by the program itself. `tilewright tune` does this more thoroughly.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <tilewright/gemm.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::uint64_t size = 256;
  const Session session;
  const Buffer<float> a(session, std::vector<float>(size * size, 1)), b(session, std::vector<float>(size * size, 2)),
      c(session, size * size);
  const GemmProblem problem{.m = size, .n = size, .k = size};

  Choice best;
  double best_seconds = 1e9;
  for (const VariantInfo& variant : gemm_variants()) {
    if (!gemm_support(session.engine().profile(), variant.name, problem).supported) continue;
    const GemmPlan plan(session.engine(), problem, {.variant = variant.name});
    plan.enqueue(session.queue(), {.a = a, .b = b, .c = c}).wait();  // the first call may be slower
    const auto start = std::chrono::steady_clock::now();
    plan.enqueue(session.queue(), {.a = a, .b = b, .c = c}).wait();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (seconds.count() >= best_seconds) continue;
    best_seconds = seconds.count();
    best = {plan.explanation().variant, plan.explanation().configuration};
  }

  const GemmPlan plan(session.engine(), problem, best);
  plan.enqueue(session.queue(), {.a = a, .b = b, .c = c}).wait();
  std::printf("%s with %s: %g ms\n", best.variant.c_str(), to_string(best.configuration).c_str(), best_seconds * 1e3);
  return is_close("the last element", c.read().back(), 2.0 * size) ? 0 : 1;
}
