// Verification of stored records, with made-up results for some variants.
#include "tuning/record_verifier.hpp"

#include <doctest/doctest.h>

#include <map>

#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "tools/temporary_directory.hpp"
#include "tuning/operations/gemm_tunable.hpp"

namespace tilewright::tuning {
namespace {

// Returns a made-up result for one variant, and success for others.
class Finding : public Evaluator {
 public:
  explicit Finding(std::map<std::string, Status> found) : found_(std::move(found)) {}

  Evaluation evaluate(const Trial& trial, double, Deadline) override {
    const auto found = found_.find(trial.choice.variant);
    return {
        .status = found == found_.end() ? Status::ok : found->second, .seconds = 1, .timings = 3, .message = "made up"};
  }
  Evaluation verify(const Trial&, Deadline) override { return {.status = Status::ok}; }

 private:
  std::map<std::string, Status> found_;
};

}  // namespace

TEST_SUITE("record verifier") {
  TEST_CASE("correct records are timed again, wrong ones are removed, and those that could not run are kept") {
    const test::TemporaryDirectory place;
    const test::ScopedEnvironment data("TILEWRIGHT_DATA_DIR", place.file("data"));
    const test::ScopedEnvironment on("TILEWRIGHT_RECORDS", std::nullopt);
    const Engine& engine = test::shared_engine();
    const Problem problem = tunable({.m = 40, .n = 24, .k = 32});
    std::vector<ProblemRecord> records;
    for (const char* const variant : {"naive", "row_per_item", "local_tile"})
      records.push_back({.problem = problem,
                         .variant = variant,
                         .configuration = problem->seeds(variant, engine.profile()).front(),
                         .seconds = 1000,
                         .timings = 3,
                         .untuned_seconds = 1000,
                         .driver = "an old one",
                         .library = "0",
                         .date = "2026-01-31"});
    gemm_operation.update_records(engine.profile(), {}, records);
    const auto stored = [&] {
      return gemm_operation.read_records(*records_file(engine.profile()), engine.profile()).records;
    };
    REQUIRE(stored().size() == 3);

    DeviceEvaluator bench(engine);
    Finding evaluator({{"row_per_item", Status::correctness}, {"local_tile", Status::crash}});
    std::atomic<bool> stop = true;
    std::map<std::string, RecordVerifier::Outcome> outcomes;
    RecordVerifier verifier(engine, gemm_operation, evaluator, bench, stop,
                            {[](std::size_t, std::size_t) {},
                             [&](RecordVerifier::Outcome outcome, const ProblemRecord&, const ProblemRecord& record,
                                 const std::string&) { outcomes[record.variant] = outcome; }});
    CHECK_FALSE(verifier.run(stored()));
    CHECK(stored().size() == 3);  // a stopped verification changes nothing
    stop = false;
    CHECK_FALSE(verifier.run(stored()));
    CHECK(outcomes.at("naive") == RecordVerifier::Outcome::right);
    CHECK(outcomes.at("row_per_item") == RecordVerifier::Outcome::dropped);
    CHECK(outcomes.at("local_tile") == RecordVerifier::Outcome::kept);
    const auto after = stored();
    REQUIRE(after.size() == 2);
    for (const ProblemRecord& record : after) {
      CHECK((record.seconds < 1000) == (record.variant == "naive"));
      CHECK((record.driver == "an old one") == (record.variant == "local_tile"));
      CHECK(record.timings == 3);
    }
  }
}

}  // namespace tilewright::tuning
