// The tuner with the device's answers made up, so that its decisions can be seen.
#include "tuning/tuner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "gemm/problem.hpp"
#include "support/device_under_test.hpp"
#include "tuning/lanes.hpp"
#include "tuning/portfolio.hpp"

namespace tilewright::tuning {
namespace {

// Tries on the device, but claims that every result of some variant is wrong, or fails to compile.
class Pretending : public Evaluator {
 public:
  Pretending(DeviceEvaluator& real, std::string wrong) : real_(real), wrong_(std::move(wrong)) {}

  Evaluation evaluate(const Trial& trial, double best_seconds) override {
    tried.push_back(trial);
    if (trial.variant == wrong_) return {.status = Status::correctness, .message = "made up"};
    return real_.evaluate(trial, best_seconds);
  }
  std::string verify(const Trial& trial) override { return trial.variant == wrong_ ? "made up" : real_.verify(trial); }

  std::vector<Trial> tried;

 private:
  DeviceEvaluator& real_;
  std::string wrong_;
};

const GemmProblem small{.m = 40, .n = 24, .k = 32};

}  // namespace

TEST_SUITE("tuner") {
  TEST_CASE("what is kept is verified, no slower than untuned, and nothing is tried twice") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    Pretending evaluator(bench, "register_blocked");
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, evaluator, bench, journal, {.budget = {.evaluations = 14}, .strategy = "guided", .rounds = 3});
    std::size_t heard = 0;
    const auto results = tuner.run({small}, [&](const TuneProgress&) { ++heard; }, {});
    REQUIRE(results.size() == 1);
    const Tuned& tuned = results.front();
    CHECK(tuned.problem_message.empty());
    CHECK(tuned.complete);
    CHECK(heard > 10);
    CHECK(tuned.best.trial.variant != "register_blocked");
    CHECK(tuned.best.seconds > 0);
    CHECK(tuned.best.timings == 3);
    std::set<std::string> seen;
    std::set<std::string> variants;
    for (const Trial& trial : evaluator.tried) {
      CHECK(seen.insert(trial.variant + to_string(trial.configuration)).second);
      variants.insert(trial.variant);
    }
    CHECK(variants.size() >= 6);  // every variant of the ladder that the device has
    for (const GemmRecord& record : records_of(tuned, engine.profile())) {
      CHECK(record.variant != "register_blocked");
      CHECK(record.seconds > 0);
    }
  }

  TEST_CASE("a known result is not measured again") {
    const Engine& engine = test::shared_engine();
    const GemmProblem problem = detail::normalized(small);
    Lanes lanes(engine.profile(), problem, {"naive"}, "guided", 1, {}, false);
    const auto first = lanes.next();
    REQUIRE(first.has_value());
    Lanes again(engine.profile(), problem, {"naive"}, "guided", 1, {}, false);
    again.tell(*first, {.status = Status::crash});
    for (int i = 0; i < 5; ++i) {
      const auto next = again.next();
      REQUIRE(next.has_value());
      CHECK_FALSE(next->configuration == first->configuration);
      again.tell(*next, {.status = Status::ok, .seconds = 1});
    }
  }

  TEST_CASE("stopped from outside, the run ends with what it has") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    Journal journal({}, engine.profile(), false);
    std::atomic<bool> stop = false;
    Tuner tuner(engine, bench, bench, journal, {.strategy = "guided", .rounds = 2, .stop = &stop});
    const auto results =
        tuner.run({small, small}, [&](const TuneProgress& progress) { stop = progress.evaluations >= 3; }, {});
    CHECK(results[0].evaluations.size() <= 4);
    CHECK(results[0].best.seconds > 0);
    CHECK(results[1].evaluations.empty());
  }

  TEST_CASE("the check finds a wrong result") {
    const Engine& engine = test::shared_engine();
    Workbench right(engine, small);
    const GemmPlan plan(engine, small);
    CHECK(right.check(plan).empty());
    GemmProblem transposed = small;
    transposed.trans_a = Transpose::yes;
    const GemmPlan other(engine, transposed);  // reads A otherwise than the bench stored it
    CHECK_FALSE(right.check(other).empty());
  }

  TEST_CASE("a smaller product, other transposes, both types: the check at the tuning size passes what is right") {
    const Engine& engine = test::shared_engine();
    for (const DataType type : {DataType::f32, DataType::f64})
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        if (type == DataType::f64 && !engine.profile().fp64) continue;
        const GemmProblem problem{.type = type, .trans_a = trans, .trans_b = trans, .m = 33, .n = 65, .k = 129};
        Workbench bench(engine, problem);
        const Trial untuned = untuned_trial(engine.profile(), detail::normalized(problem));
        CHECK(bench.check(*make_trial_plan(engine, untuned)).empty());
      }
  }
}

}  // namespace tilewright::tuning
