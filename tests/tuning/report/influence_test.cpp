#include "tuning/report/influence.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tuning/journal.hpp"

namespace tilewright::test {

using tuning::ReportTrial, tuning::Status;

TEST_SUITE("report") {
  TEST_CASE("influence: a decisive parameter precedes an irrelevant one") {
    std::vector<tuning::Journal::Entry> entries;
    for (int i = 0; i < 64; ++i) {
      const std::int64_t strong = i % 4, weak = i / 4 % 4;
      entries.push_back({{{}, {"v", {{"weak", weak}, {"strong", strong}}}},
                         {Status::ok, std::exp2(static_cast<double>(strong)), 3, 0, {}}});
    }
    entries.push_back({{{}, {"v", {{"weak", 1}, {"strong", 1}}}}, {}});
    entries.push_back({{{}, {"other", {{"weak", 1}, {"strong", 1}}}}, {Status::ok, 1000, 3, 0, {}}});
    std::vector<ReportTrial> trials;
    for (const auto& [trial, evaluation] : entries)
      trials.push_back({&trial.choice, &evaluation, evaluation.timed() ? evaluation.seconds : 0, evaluation.timings});
    const auto influences = tuning::parameter_influence(trials, "v");
    REQUIRE(influences.size() == 2);
    CHECK(influences[0].parameter == "strong");
    CHECK(influences[0].explained > 0.99);
    CHECK(influences[1].explained < 0.01);
    REQUIRE(influences[0].values.size() == 4);
    CHECK(influences[0].values[3].value == 3);
    CHECK(influences[0].values[3].count == 16);
    CHECK(influences[0].values[3].median_seconds == 8);
  }
}

}  // namespace tilewright::test
