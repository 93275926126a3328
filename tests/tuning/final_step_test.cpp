// The tuner's final, with results of the search that this process cannot confirm.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "tuning/made_up_operation.hpp"
#include "tuning/measure/device_evaluator.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tuning {
namespace {

// One of its choices compiles in no plan of this process, although its trials pass elsewhere.
class Unplannable : public MadeUp {
 public:
  using MadeUp::MadeUp;

  std::unique_ptr<TunablePlan> plan(const Engine& engine, const Choice& choice) const override {
    if (choice.configuration["steps"] == 1) throw Error(ErrorCode::invalid_configuration, "no registers are left");
    return MadeUp::plan(engine, choice);
  }
};

// Reports success for every choice.
class PassingEvaluator : public Evaluator {
 public:
  Evaluation evaluate(const Trial&, double, Deadline) override {
    return {.status = Status::ok, .seconds = 1e-3, .timings = 3};
  }
  Evaluation verify(const Trial&, Deadline) override { return {.status = Status::ok}; }
};

}  // namespace

TEST_SUITE("tuner") {
  TEST_CASE("a finalist whose plan cannot be made in this process is noted, and the others are timed") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    PassingEvaluator evaluator;
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, evaluator, bench, journal, {.budget = {.evaluations = 10}, .strategy = "full", .rounds = 3});
    const Problem problem(std::make_shared<Unplannable>(1000));
    const Tuned tuned = tuner.run(std::vector<Problem>{problem}, {}, {}).front();
    CHECK(tuned.problem_message.empty());
    CHECK(tuned.best.seconds > 0);
    std::size_t refused = 0;
    for (const auto& [trial, evaluation] : tuned.evaluations)
      if (evaluation.status == Status::constraints) {
        CHECK(trial.choice.configuration["steps"] == 1);
        CHECK(evaluation.message.find("no registers") != std::string::npos);
        ++refused;
      }
    CHECK(refused == 1);
  }
}

}  // namespace tilewright::tuning
