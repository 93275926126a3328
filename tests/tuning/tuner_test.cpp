// The tuner with made-up results of the device, which make its decisions visible.
#include "tuning/tuner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "gemm/selector.hpp"
#include "support/device_under_test.hpp"
#include "tools/temporary_directory.hpp"
#include "tuning/made_up_operation.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/operations/transpose_tunable.hpp"
#include "tuning/tunable/variant_spaces.hpp"

namespace tilewright::tuning {
namespace {

// Runs trials on the device, but reports results of one variant as wrong, or as failing to compile.
class FaultyEvaluator : public Evaluator {
 public:
  FaultyEvaluator(DeviceEvaluator& real, std::string wrong) : real_(real), wrong_(std::move(wrong)) {}

  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline) override {
    tried.push_back(trial);
    if (trial.choice.variant == wrong_) return {.status = Status::correctness, .message = "made up"};
    return real_.evaluate(trial, best_seconds, deadline);
  }
  Evaluation verify(const Trial& trial, Deadline deadline) override {
    if (trial.choice.variant == wrong_) return {.status = Status::correctness, .message = "made up"};
    return real_.verify(trial, deadline);
  }

  std::vector<Trial> tried;

 private:
  DeviceEvaluator& real_;
  std::string wrong_;
};

// Reports success after a delay, and counts calls after the deadline.
class SlowEvaluator : public Evaluator {
 public:
  explicit SlowEvaluator(Deadline end) : end_(end) {}

  Evaluation evaluate(const Trial& trial, double, Deadline deadline) override {
    work(deadline);
    return {.status = trial.choice.variant == "naive" ? Status::ok : Status::compile, .seconds = 1e-3, .timings = 3};
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

// Fails with a system error after some trials.
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

const Problem small = tunable(GemmProblem{.m = 40, .n = 24, .k = 32});

}  // namespace

TEST_SUITE("tuner") {
  TEST_CASE("kept choices are verified and no slower than untuned, and no trial runs twice") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    FaultyEvaluator evaluator(bench, "register_blocked");
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, evaluator, bench, journal, {.budget = {.evaluations = 14}, .strategy = "guided", .rounds = 3});
    std::size_t heard = 0;
    const auto results = tuner.run({small}, [&](const TuneProgress&) { ++heard; }, {});
    REQUIRE(results.size() == 1);
    const Tuned& tuned = results.front();
    CHECK(tuned.problem_message.empty());
    CHECK(tuned.complete);
    CHECK(heard > 10);
    CHECK(tuned.best.choice.variant != "register_blocked");
    CHECK(tuned.best.seconds > 0);
    CHECK(tuned.best.timings == 3);
    std::set<std::string> seen;
    std::set<std::string> variants;
    for (const Trial& trial : evaluator.tried) {
      CHECK(seen.insert(trial.choice.variant + to_string(trial.choice.configuration)).second);
      variants.insert(trial.choice.variant);
    }
    CHECK(variants.size() >= 6);  // every variant that the device supports
    for (const ProblemRecord& record : records_of(tuned, engine.profile())) {
      CHECK(record.variant != "register_blocked");
      CHECK(record.seconds > 0);
    }
  }

  TEST_CASE("no trial starts after the time budget, and skipped shapes are reported") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    const TuneOptions options{.budget = {.seconds = 3}, .strategy = "guided", .rounds = 3};
    SlowEvaluator evaluator(options.start + std::chrono::seconds(3));
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, evaluator, bench, journal, options);
    const auto results = tuner.run(std::vector<Problem>(200, small), {}, {});
    CHECK(evaluator.late == 0);
    std::size_t tuned = 0;
    for (const Tuned& result : results) {
      INFO(result.problem_message);
      CHECK(result.out_of_time == (result.best.seconds == 0));
      tuned += result.best.seconds > 0 ? 1U : 0U;
    }
    CHECK(tuned < results.size());
    CHECK(results.back().out_of_time);
  }

  TEST_CASE("a system failure ends the run and is not recorded as a result") {
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
    CHECK(journal.is_unfinished(small));
  }

  TEST_CASE("stored records select the winner, which has the most reliable timings") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    auto journal = std::make_optional<Journal>(path, engine.profile(), false);
    const Problem other = tunable(GemmProblem{.m = 64, .n = 24, .k = 32});
    Tuner tuner(engine, bench, bench, *journal, {.budget = {.evaluations = 16}, .strategy = "guided", .rounds = 5});
    const auto results = tuner.run({small, other}, {}, {});
    journal.reset();
    // Each shape was also tried with the other's winner after its own search.
    for (const Problem& problem : {small, other})
      CHECK_FALSE(Journal(path, engine.profile(), true).is_unfinished(problem));
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
      const bool is_untuned = tuned.best.choice == tuned.untuned.choice;
      CHECK((is_untuned || tuned.speedup() >= detail::min_gain));
      // A lucky measurement: faster, but with fewer timings than the best.
      Tuned lucky = tuned;
      const Choice naive{"naive", tuned.problem->seeds("naive", engine.profile()).front()};
      lucky.others.push_back({naive, tuned.best.seconds / 100, 0, 3, tuned.untuned.seconds});
      Records<GemmProblem> set;
      for (const ProblemRecord& record : records_of(lucky, engine.profile()))
        set.records.push_back(record_of<GemmProblem>(record));
      const detail::GemmRecordBook book(std::move(set), engine.profile());
      const auto chosen =
          detail::select<GemmProblem>(engine.profile(), book, problem_of<GemmProblem>(tuned.problem), {});
      CHECK(tuned.best.choice == Choice{chosen.variant->name, chosen.configuration()});
    }
  }

  TEST_CASE("the best of a variant that is tuned alone is kept together with the winner") {
    const Engine& engine = test::shared_engine();
    DeviceEvaluator bench(engine);
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, bench, bench, journal,
                {.budget = {.evaluations = 5}, .strategy = "guided", .rounds = 3, .variants = {"row_per_item"}});
    const auto results = tuner.run({small}, {}, {});
    const Tuned& tuned = results.front();
    REQUIRE(tuned.best.seconds > 0);
    const auto records = records_of(tuned, engine.profile());
    CHECK(std::any_of(records.begin(), records.end(),
                      [](const ProblemRecord& record) { return record.variant == "row_per_item"; }));
    if (tuned.best.choice.variant == "row_per_item") {
      CHECK(tuned.of_variants.empty());
    } else {
      REQUIRE(tuned.of_variants.size() == 1);
      CHECK(tuned.of_variants[0].choice.variant == "row_per_item");
      CHECK(tuned.of_variants[0].timings == 3);
      CHECK(tuned.of_variants[0].untuned_seconds == tuned.untuned.seconds);
    }
  }

  TEST_CASE("an operation unknown to the tuner is tuned like any other") {
    const Engine& engine = test::shared_engine();
    const Problem fill(std::make_shared<MadeUp>(1U << 20U));
    CHECK(fill == Problem(std::make_shared<MadeUp>(1U << 20U)));
    CHECK_FALSE(fill == Problem(std::make_shared<MadeUp>(1U << 10U)));
    DeviceEvaluator bench(engine);
    Journal journal({}, engine.profile(), false);
    Tuner tuner(engine, bench, bench, journal, {.strategy = "full", .rounds = 3});
    const auto results = tuner.run({fill}, {}, {});
    const Tuned& tuned = results.front();
    CHECK(tuned.problem_message.empty());
    CHECK(tuned.complete);
    CHECK(tuned.untuned.choice == Choice{"steps", {{"steps", 64}}});
    CHECK(tuned.best.seconds > 0);
    CHECK(tuned.best.choice.configuration["steps"] != 16);  // this step is wrong at an edge
    std::set<std::int64_t> tried;
    for (const auto& [trial, evaluation] : tuned.evaluations) tried.insert(trial.choice.configuration["steps"]);
    CHECK(tried == std::set<std::int64_t>{1, 16, 64});
    CHECK(std::string(fill->work().unit()) == "GB/s");
  }

  TEST_CASE("a known result is not measured again") {
    const Engine& engine = test::shared_engine();
    const auto naive = variant_spaces(small, engine.profile(), {"naive"}, {});
    SearchSchedule lanes(naive, "guided", 1, false);
    const auto first = lanes.next();
    REQUIRE(first.has_value());
    SearchSchedule again(naive, "guided", 1, false);
    again.report(*first, {});
    for (int i = 0; i < 5; ++i) {
      const auto next = again.next();
      REQUIRE(next.has_value());
      CHECK_FALSE(next->configuration == first->configuration);
      again.report(*next, 1);
    }
  }

  TEST_CASE("a run that is stopped from outside returns its results so far") {
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

  TEST_CASE("verification finds a wrong result") {
    const Engine& engine = test::shared_engine();
    Workbench right(engine, small);
    CHECK(right.check(*small->plan(engine, {})).empty());
    const Problem transposed = tunable(GemmProblem{.trans_a = Transpose::yes, .m = 40, .n = 24, .k = 32});
    const auto other = transposed->plan(engine, {});  // reads A in another layout than the bench stored it
    CHECK_FALSE(right.check(*other).empty());
  }

  TEST_CASE("verification of a transposition finds a wrong result, in place and out of place") {
    const Engine& engine = test::shared_engine();
    for (const bool in_place : {false, true}) {
      const Problem tall = tunable(TransposeProblem{.m = 40, .n = 24, .in_place = in_place});
      const Problem flat = tunable(TransposeProblem{.m = 24, .n = 40, .in_place = in_place});
      Workbench bench(engine, tall);
      CHECK(bench.check(*tall->plan(engine, {})).empty());
      CHECK_FALSE(bench.check(*flat->plan(engine, {})).empty());
      CHECK(bench.check(*tall->plan(engine, {})).empty());
    }
    const Problem gaps = tunable(TransposeProblem{.m = 20, .n = 12, .ldb = 31});
    Workbench bench(engine, gaps);
    CHECK(bench.check(*gaps->plan(engine, {})).empty());
    CHECK(tunable(TransposeProblem{.m = 4000, .n = 600, .in_place = true})->smaller()->work().bytes < 4e6);
  }

  TEST_CASE("verification at the tuning size passes right results: smaller products, transposes, both types") {
    const Engine& engine = test::shared_engine();
    for (const DataType type : {DataType::f32, DataType::f64})
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        if (type == DataType::f64 && !engine.profile().fp64) continue;
        const Problem problem =
            tunable(GemmProblem{.type = type, .trans_a = trans, .trans_b = trans, .m = 33, .n = 65, .k = 129});
        Workbench bench(engine, problem);
        const Trial untuned{problem, problem->untuned(engine.profile())};
        CHECK(bench.check(*make_trial_plan(engine, untuned)).empty());
      }
  }
}

}  // namespace tilewright::tuning
