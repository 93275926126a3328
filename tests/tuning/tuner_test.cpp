// The tuner with the device's answers made up, so that its decisions can be seen.
#include "tuning/tuner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "support/device_under_test.hpp"
#include "tools/temporary_directory.hpp"
#include "tuning/lanes.hpp"
#include "tuning/portfolio.hpp"

namespace tilewright::tuning {
namespace {

// Tries on the device, but claims that every result of some variant is wrong, or fails to compile.
class Pretending : public Evaluator {
 public:
  Pretending(DeviceEvaluator& real, std::string wrong) : real_(real), wrong_(std::move(wrong)) {}

  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline) override {
    tried.push_back(trial);
    if (trial.variant == wrong_) return {.status = Status::correctness, .message = "made up"};
    return real_.evaluate(trial, best_seconds, deadline);
  }
  Evaluation verify(const Trial& trial, Deadline deadline) override {
    if (trial.variant == wrong_) return {.status = Status::correctness, .message = "made up"};
    return real_.verify(trial, deadline);
  }

  std::vector<Trial> tried;

 private:
  DeviceEvaluator& real_;
  std::string wrong_;
};

// Claims success after a while, and knows what was asked of it after the end.
class Unhurried : public Evaluator {
 public:
  explicit Unhurried(Deadline end) : end_(end) {}

  Evaluation evaluate(const Trial& trial, double, Deadline deadline) override {
    work(deadline);
    return {.status = trial.variant == "naive" ? Status::ok : Status::compile, .seconds = 1e-3, .timings = 3};
  }
  Evaluation verify(const Trial&, Deadline deadline) override {
    work(deadline);
    return {.status = Status::ok};
  }

  int late = 0;

 private:
  void work(Deadline deadline) {
    if (deadline > end_) ++late;
    const Deadline done = std::chrono::steady_clock::now() + std::chrono::milliseconds(40);
    std::this_thread::sleep_until(std::min(done, deadline));
    if (deadline < done) throw OutOfTime();
  }

  Deadline end_;
};

// Fails as the system does, after some trials.
class Failing : public Evaluator {
 public:
  Failing(Evaluator& real, int good) : real_(real), good_(good) {}

  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline) override {
    if (good_-- <= 0) throw SystemError("no memory");
    return real_.evaluate(trial, best_seconds, deadline);
  }
  Evaluation verify(const Trial& trial, Deadline deadline) override { return real_.verify(trial, deadline); }

 private:
  Evaluator& real_;
  int good_;
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

  TEST_CASE("nothing is tried that the budget leaves no time for, and what was cut is told") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    const TuneOptions options{.budget = {.seconds = 3}, .strategy = "guided", .rounds = 3};
    Unhurried evaluator(options.start + std::chrono::seconds(3));
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, evaluator, bench, journal, options);
    const auto results = tuner.run(std::vector<GemmProblem>(200, small), {}, {});
    CHECK(evaluator.late == 0);
    std::size_t tuned = 0;
    for (const Tuned& result : results) {
      CHECK(result.out_of_time == (result.best.seconds == 0));
      tuned += result.best.seconds > 0 ? 1U : 0U;
    }
    CHECK(tuned < results.size());
    CHECK(results.back().out_of_time);
  }

  TEST_CASE("a failure of the system ends the run and counts against nothing") {
    const Engine& engine = test::shared_engine();
    const test::TemporaryDirectory place;
    DeviceEvaluator bench(engine);
    Failing evaluator(bench, 3);
    {
      Journal journal(place.file("journal"), engine.profile(), false);
      Tuner tuner(engine, evaluator, bench, journal, {.budget = {.evaluations = 10}, .strategy = "guided"});
      const auto results = tuner.run({small, small}, {}, {});
      CHECK(tuner.failure() == "no memory");
      CHECK(results[0].evaluations.size() == 3);
      CHECK(results[1].evaluations.empty());
    }
    const Journal journal(place.file("journal"), engine.profile(), true);
    CHECK(journal.known().size() == 3);
    CHECK(journal.interrupted().empty());
    CHECK(journal.is_unfinished(detail::normalized(small)));
  }

  TEST_CASE("what is stored is chosen: the winner, by timings that no others are as sure as") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    Journal journal({}, engine.profile(), false);
    GemmProblem other = small;
    other.m = 64;
    Tuner tuner(engine, bench, bench, journal, {.budget = {.evaluations = 16}, .strategy = "guided", .rounds = 5});
    const auto results = tuner.run({small, other}, {}, {});
    for (const Tuned& tuned : results) {
      REQUIRE(tuned.best.seconds > 0);
      CHECK(tuned.best.timings == 5);
      CHECK(tuned.best.variation > 0);
      CHECK(tuned.untuned.timings == 5);
      for (const Timed& timed : tuned.others) {
        CHECK(timed.timings == 3);
        CHECK(timed.variation > 0);
        CHECK(timed.untuned_seconds > 0);
      }
      const bool is_untuned = same_way(tuned.best.trial, tuned.untuned.trial);
      CHECK((is_untuned || tuned.speedup() >= detail::least_gain));
      // As one that errs would have it, timed less often than the best.
      Tuned lucky = tuned;
      lucky.others.push_back({tuned.best.trial, tuned.best.seconds / 100, 0, 3, tuned.untuned.seconds});
      lucky.others.back().trial = untuned_trial(engine.profile(), tuned.problem);
      lucky.others.back().trial.variant = "naive";
      lucky.others.back().trial.configuration = portfolio(engine.profile(), "naive", tuned.problem).front();
      RecordSet set;
      set.records = records_of(lucky, engine.profile());
      const detail::RecordBook book(std::move(set), engine.profile());
      const auto chosen = detail::select_gemm(engine.profile(), book, tuned.problem, {});
      CHECK(same_way(tuned.best.trial, {tuned.problem, chosen.variant->name, chosen.configurations.front()}));
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
