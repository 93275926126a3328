// Many threads share one engine and one plan.
#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

constexpr int thread_count = 8;

// Starts threads together and runs body(thread) in each. Returns the number of threads that ended with an exception.
int run_together(const std::function<void(int)>& body) {
  std::barrier start(thread_count);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      try {
        body(t);
      } catch (...) {
        ++failures;
      }
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

}  // namespace

TEST_SUITE("plan threads") {
  TEST_CASE("threads that need the same program compile it once") {
    for (int round = 0; round < 3; ++round) {
      const Engine engine(device_under_test());
      CHECK(run_together([&](int) { GemmPlan(engine, {.m = 4, .n = 4, .k = 4}, {"local_tile", {}}); }) == 0);
      CHECK(engine.program_statistics().compiled == 1);
      CHECK(engine.program_statistics().reused == thread_count - 1);
    }
  }

  TEST_CASE("threads that need different programs get all of them") {
    const Engine engine(device_under_test());
    const auto variants = gemm_variants();
    const std::size_t different = variants.size() - 1;  // excludes texel_blocked, which some devices do not support
    CHECK(run_together([&](int t) {
            const auto& variant = variants[static_cast<std::size_t>(t) % different];
            GemmPlan(engine, {.m = 4, .n = 4, .k = 4}, {variant.name, {}});
          }) == 0);
    CHECK(engine.program_statistics().compiled == std::min<std::size_t>(different, thread_count));
  }

  TEST_CASE("many threads enqueue one plan") {
    for (const Choice& choice :
         {Choice{"naive", {}}, Choice{"local_tile", {{"padded", 1}}}, Choice{"register_blocked", {}}}) {
      CAPTURE(choice.variant);
      std::vector<SmallProduct> products;
      for (int t = 0; t < thread_count; ++t) products.emplace_back(shared_engine(), 17, 19, 23);
      const GemmPlan plan(shared_engine(), products.front().problem, choice);
      std::atomic<int> wrong{0};
      const int failures = run_together([&](int t) {
        SmallProduct& product = products[static_cast<std::size_t>(t)];
        for (int call = 0; call < 20; ++call) {
          product.reset_c();
          plan.enqueue(product.queue(), product.operands).wait();
          if (product.read(product.c) != product.after()) ++wrong;
        }
      });
      CHECK(failures == 0);
      CHECK(wrong == 0);
      count_kernel(plan);
      count_cases();
    }
  }

  TEST_CASE("many threads call gemm() with the same and with different problems") {
    const Engine engine(device_under_test());
    std::atomic<int> wrong{0};
    const int failures = run_together([&](int t) {
      for (std::uint64_t call = 0; call < 10; ++call) {
        const SmallProduct product(engine, call % 2 == 0 ? 8 : 8 + static_cast<std::uint64_t>(t), 5, 6);
        product.run({}, {"naive", {}}).wait();
        if (product.read(product.c) != product.after()) ++wrong;
      }
    });
    CHECK(failures == 0);
    CHECK(wrong == 0);
    CHECK(engine.program_statistics().compiled == 1);
    count_cases();
  }

  TEST_CASE("many threads ask for one probe") {
    const Engine engine(device_under_test());
    CHECK(run_together([&](int) { static_cast<void>(engine.probe(Ability::inline_ptx)); }) == 0);
  }
}

}  // namespace tilewright::test
