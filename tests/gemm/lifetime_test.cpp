// The library retains the OpenCL objects that it keeps and releases them: reference counts return to their old values.
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <sstream>
#include <thread>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

struct References {
  cl_uint context, queue, a, b, c;

  friend bool operator==(const References&, const References&) = default;
};

References references_of(const SmallProduct& product) {
  return {product.context.getInfo<CL_CONTEXT_REFERENCE_COUNT>(), product.queue.getInfo<CL_QUEUE_REFERENCE_COUNT>(),
          product.a.getInfo<CL_MEM_REFERENCE_COUNT>(), product.b.getInfo<CL_MEM_REFERENCE_COUNT>(),
          product.c.getInfo<CL_MEM_REFERENCE_COUNT>()};
}

doctest::String toString(const References& r) {
  std::ostringstream text;
  text << "context " << r.context << ", queue " << r.queue << ", a " << r.a << ", b " << r.b << ", c " << r.c;
  return text.str().c_str();
}

// Reference counts at rest: a driver releases a command's objects shortly after the command ends.
References settled(const SmallProduct& product) {
  product.queue.finish();
  References last = references_of(product);
  for (int same = 0; same < 20; ++same) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const References now = references_of(product);
    if (now != last) same = 0;
    last = now;
  }
  return last;
}

// Runs `use` on a product in its own context, with an engine that only `use` sees. The first use shows the references
// that the driver itself keeps once a queue has run.
void check_references(const std::function<void(const Engine&, const SmallProduct&)>& use) {
  SmallProduct product{Engine(device_under_test())};
  product.engine = shared_engine();
  References before{};
  for (const bool first : {true, false}) {
    {
      const Engine engine(product.context(), product.engine.device());
      use(engine, product);
    }
    if (first) {
      before = settled(product);
    } else {
      CHECK(settled(product) == before);
    }
  }
  CHECK(before.context < 8);
  CHECK(before.a == 1);
  CHECK(before.b == 1);
  CHECK(before.c == 1);
  count_cases();
}

}  // namespace

TEST_SUITE("lifetime") {
  TEST_CASE("a plan and its calls") {
    for (const VariantInfo& variant : gemm_variants()) {
      if (!gemm_support(shared_engine().profile(), variant.name, {.m = 5, .n = 7, .k = 3}).supported) continue;
      std::vector<Configuration> strategies = variant.strategies;
      strategies.emplace_back();
      for (const Configuration& strategy : strategies) {
        CAPTURE(variant.name);
        CAPTURE(to_string(strategy));
        check_references([&](const Engine& engine, const SmallProduct& product) {
          const GemmPlan plan(engine, product.problem, {variant.name, strategy});
          for (int call = 0; call < 3; ++call) plan.enqueue(product.queue(), product.operands).wait();
          count_kernel(plan);
        });
      }
    }
  }

  TEST_CASE("gemm() and the engine's cached plans") {
    check_references([](const Engine& engine, const SmallProduct& product) {
      for (int call = 0; call < 3; ++call) gemm(engine, product.queue(), product.problem, product.operands).wait();
    });
  }

  TEST_CASE("an engine that is made from a queue, copied and probed") {
    check_references([](const Engine&, const SmallProduct& product) {
      const Engine engine = Engine::from_queue(product.queue());
      const Engine copy = engine;
      static_cast<void>(copy.probe(Ability::inline_ptx));
    });
  }

  TEST_CASE("refused calls") {
    check_references([](const Engine& engine, const SmallProduct& product) {
      GemmOperands wrong = product.operands;
      wrong.a = wrong.c;
      for (int call = 0; call < 3; ++call)
        CHECK_THROWS_AS(gemm(engine, product.queue(), product.problem, wrong), Error);
      CHECK_THROWS_AS(GemmPlan(engine, product.problem, {"naive", {{"wg_m", -1}}}), Error);
    });
  }

  TEST_CASE("a thousand calls leak no references") {
    for (const Choice& choice : {Choice{}, Choice{"local_tile", {{"padded", 1}}}}) {
      CAPTURE(choice.variant);
      SmallProduct product{Engine(device_under_test())};
      const GemmPlan plan(product.engine, product.problem, choice);
      plan.enqueue(product.queue(), product.operands).wait();
      // The plan keeps the references of its last call only, however many calls there were.
      const References after_one = settled(product);
      for (int call = 0; call < 1000; ++call) {
        const Event event = plan.enqueue(product.queue(), product.operands);
        if (call % 50 == 0) event.wait();
      }
      // If earlier calls were still running at the last call, the plan releases them at the next call.
      settled(product);
      plan.enqueue(product.queue(), product.operands).wait();
      CHECK(settled(product) == after_one);
      count_kernel(plan);
      count_cases();
    }
  }
}

}  // namespace tilewright::test
