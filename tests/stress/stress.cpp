// Many threads use one engine in random ways for a given time; every result is compared.
//   tilewright_stress [--seconds S] [--threads N] [--seed X]
// Exits with 1 after a wrong result or an unexpected error, and with 2 if nothing finished for two minutes.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/small_product.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

using Random = std::mt19937_64;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes stall{2};

std::uint64_t below(Random& random, std::uint64_t end) { return random() % end; }

// State shared by all threads.
struct Shared {
  explicit Shared(double time) : seconds(time) {
    for (const VariantInfo& variant : gemm_variants())
      if (gemm_support(engine.profile(), variant.name, {.m = 8, .n = 8, .k = 8}).supported)
        variants.push_back(variant.name);
    variants.emplace_back();  // the library's own choice
    for (const std::string& variant : variants) plans.emplace_back(engine, shared_problem(), Choice{variant, {}});
  }

  static GemmProblem shared_problem() { return {.m = 33, .n = 17, .k = 29}; }

  Engine engine{device_under_test()};
  std::vector<std::string> variants;
  std::vector<GemmPlan> plans;
  double seconds;
  Clock::time_point start{};
  std::atomic<std::uint64_t> finished{0};
  std::atomic<bool> failed{false};
  std::mutex output;

  bool is_over() const { return failed || std::chrono::duration<double>(Clock::now() - start).count() >= seconds; }

  void fail(const std::string& what) {
    failed = true;
    const std::lock_guard lock(output);
    std::cout << "FAILED: " << what << std::endl;
  }
};

// One product by gemm(), of a size that other threads use as well.
bool plain(Shared& shared, Random& random) {
  const SmallProduct product(shared.engine, 1 + below(random, 40), 1 + below(random, 40), 1 + below(random, 40));
  product.run({}, {shared.variants[below(random, shared.variants.size())], {}}).wait();
  return product.read(product.c) == product.after();
}

// Enqueues a plan that all threads share.
bool by_shared_plan(Shared& shared, Random& random) {
  const GemmProblem problem = Shared::shared_problem();
  const SmallProduct product(shared.engine, problem.m, problem.n, problem.k);
  const GemmPlan& plan = shared.plans[below(random, shared.plans.size())];
  for (int call = 0; call < 3; ++call) {
    product.reset_c();
    plan.enqueue(product.queue(), product.operands).wait();
    if (product.read(product.c) != product.after()) return false;
  }
  return true;
}

// Makes a plan for this thread, which may be the last holder of its engine.
bool by_own_plan(Shared& shared, Random& random) {
  const SmallProduct product(shared.engine, 1 + below(random, 20), 8, 8);
  const GemmPlan plan(product.engine, product.problem, {shared.variants[below(random, shared.variants.size())], {}});
  plan.enqueue(product.queue(), product.operands).wait();
  return product.read(product.c) == product.after();
}

bool packed(Shared& shared, Random& random) {
  const SmallProduct product(shared.engine, 33, 17, 29);
  const GemmPlan& plan = shared.plans[below(random, shared.plans.size())];
  const GemmInput input = below(random, 2) == 0 ? GemmInput::a : GemmInput::b;
  const PackedMatrix matrix(plan, input, product.queue(),
                            input == GemmInput::a ? product.operands.a : product.operands.b);
  GemmOperands operands = product.operands;
  (input == GemmInput::a ? operands.packed_a : operands.packed_b) = &matrix;
  const cl::CommandQueue other(product.context, cl::Device(product.engine.device(), true));
  plan.enqueue(other(), operands).wait();
  return product.read(product.c) == product.after();
}

// Rows of one product as a batch by offsets.
bool batched(Shared& shared, Random& random) {
  const std::uint64_t m = 2 + below(random, 6);
  const SmallProduct product(shared.engine, m, 9, 7);
  std::vector<std::uint64_t> a(m), b(m, 0), c(m);
  for (std::uint64_t row = 0; row < m; ++row) {
    a[row] = row * 7;
    c[row] = row * 9;
  }
  GemmProblem row = product.problem;
  row.m = 1;
  row.batch.count = m;
  GemmOperands operands = product.operands;
  operands.offsets = {a, b, c};
  gemm(shared.engine, product.queue(), row, operands, {}, {shared.variants[below(random, shared.variants.size())], {}})
      .wait();
  return product.read(product.c) == product.after();
}

// A call that must be refused.
bool refused(Shared& shared, Random&) {
  const SmallProduct product(shared.engine, 4, 4, 4);
  GemmOperands operands = product.operands;
  operands.c.offset = 16;
  try {
    gemm(shared.engine, product.queue(), product.problem, operands).wait();
    return false;
  } catch (const Error&) {
    return product.read(product.c) == product.before();
  }
}

// Runs each kernel in growing grids, while other threads still run smaller ones.
bool growing(Shared& shared, Random& random) {
  for (const std::string& variant : shared.variants)
    for (std::uint64_t most = 4; most <= 100 && !shared.is_over(); most += 4) {
      const SmallProduct product(shared.engine, 1 + below(random, most), 1 + below(random, most), 4);
      product.run({}, {variant, {}}).wait();
      if (product.read(product.c) != product.after()) return false;
      ++shared.finished;
    }
  return true;
}

void work(Shared& shared, std::uint64_t seed) {
  Random random(seed);
  constexpr bool (*operations[])(Shared&, Random&) = {plain,   by_shared_plan, by_own_plan, packed,
                                                      batched, refused,        growing};
  constexpr std::string_view names[] = {"plain", "shared plan", "own plan", "packed", "batched", "refused", "growing"};
  constexpr std::size_t last = std::size(operations) - 1;
  // Half of the threads start with the last kernel.
  for (std::size_t which = seed % 2 == 0 ? last : below(random, last); !shared.is_over(); which = below(random, last)) {
    try {
      if (!operations[which](shared, random))
        shared.fail(std::string(names[which]) + ": a wrong result, seed " + std::to_string(seed));
    } catch (const std::exception& error) {
      shared.fail(std::string(names[which]) + ": " + error.what() + ", seed " + std::to_string(seed));
    }
    ++shared.finished;
  }
}

int run(double seconds, unsigned threads, std::uint64_t seed) {
  Shared shared(seconds);
  shared.start = Clock::now();
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) workers.emplace_back(work, std::ref(shared), seed + t);
  std::uint64_t last = 0;
  auto last_progress = Clock::now();
  while (!shared.is_over()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (const std::uint64_t now = shared.finished; now != last) {
      last = now;
      last_progress = Clock::now();
    } else if (Clock::now() - last_progress > stall) {
      std::cout << "FAILED: nothing was finished for two minutes" << std::endl;
      std::_Exit(2);
    }
  }
  for (std::thread& worker : workers) worker.join();
  std::cout << shared.finished << " operations by " << threads << " threads, seed " << seed << std::endl;
  return shared.failed || shared.finished == 0 ? 1 : 0;
}

}  // namespace
}  // namespace tilewright::test

int main(int argc, char** argv) {
  const doctest::Context context(argc, argv);
  double seconds = 10;
  unsigned threads = 16;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--seconds")
      seconds = std::atof(argv[i + 1]);
    else if (option == "--threads")
      threads = static_cast<unsigned>(std::atoi(argv[i + 1]));
    else if (option == "--seed")
      seed = std::strtoull(argv[i + 1], nullptr, 10);
    else
      return 64;
  }
  return tilewright::test::run(seconds, threads, seed);
}
