// Records of spmm: problems as JSON, distances between them, and the choice by records.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "selection/made_up.hpp"
#include "selection/record_store.hpp"
#include "spmm/selector.hpp"
#include "spmm/structure.hpp"
#include "tuning/operations/made_up_places.hpp"

namespace tilewright::test {
namespace {

using detail::SpmmCore;
using Sparse = detail::Operation<SpmmCore>;
using Format = detail::RecordFormat<SpmmCore>;

RowStatistics some_rows() {
  return {.rows = 30000,
          .columns = 20000,
          .nonzeros = 300000,
          .longest = 900,
          .empty_rows = 5000,
          .mean = 10,
          .deviation = 25.5,
          .spread = 1234.56789};
}

SpmmCore some_core(std::uint64_t n = 8) { return detail::tuned_core(DataType::f32, n, some_rows()); }

RowStatistics statistics_of(const tuning::SparsePlaces& places) {
  return detail::statistics_of(detail::Rows<std::int64_t>{places.offsets, places.indices, {}}, places.columns);
}

}  // namespace

TEST_SUITE("spmm records") {
  TEST_CASE("a problem is the same after it was written as JSON") {
    const SpmmCore core = some_core();
    const auto text = Format::to_json(core).dump();
    CHECK(Format::from_json(nlohmann::json::parse(text)) == core);
    CHECK(Sparse::distance(Format::from_json(nlohmann::json::parse(text)), core) == 0);
  }

  TEST_CASE("statistics that no matrix can have are errors") {
    const auto refused = [](const char* name, const nlohmann::json& value) {
      nlohmann::json values = nlohmann::json::parse(Format::to_json(some_core()).dump());
      values[name] = value;
      CHECK_THROWS(Format::from_json(values));
    };
    refused("type", "f16");
    refused("type", "f33");
    refused("m", 0);
    refused("n", 0);
    refused("nonzeros", 24999);      // fewer than there are non-empty rows
    refused("longest_row", 11);      // other rows would be longer
    refused("longest_row", 275002);  // no elements would remain for other rows
    refused("empty_rows", 30000);
    refused("deviation", -1);
    refused("spread", 20001);
    refused("spread", nullptr);
  }

  TEST_CASE("similar problems have small distances") {
    const SpmmCore core = some_core();
    SpmmCore twice = core, gaps = core, permuted = core, skewed = core;
    twice.a.rows *= 2;
    gaps.ldb += 3;
    permuted.permuted = true;
    skewed.a.deviation *= 1.1;
    for (const SpmmCore& other : {twice, gaps, permuted}) CHECK(Sparse::distance(core, other) >= std::log(1.99));
    CHECK(Sparse::distance(core, skewed) > 0);
    CHECK(Sparse::distance(core, skewed) < 0.2);
    CHECK(Sparse::same_kind(core, skewed));
    CHECK_FALSE(Sparse::same_kind(core, some_core(1)));
    CHECK(detail::problem_key(core) != detail::problem_key(skewed));
  }

  TEST_CASE("records are used if tuning gained, also for similar rows, and otherwise not") {
    RecordPlace place;
    const auto choose = [&](const SpmmCore& core) {
      return detail::explain_selection(place.device, detail::open_record_book<SpmmCore>(place.device), core, Choice{},
                                       {});
    };
    const std::string untuned = choose(some_core()).variant;
    Record<SpmmCore> record{.problem = some_core(),
                            .variant = "row_per_item",
                            .configuration = {{"wg", 64}},
                            .seconds = 1e-3,
                            .variation = 0.01,
                            .timings = 10,
                            .untuned_seconds = 1.02e-3,
                            .driver = "1.2",
                            .library = "0.1.0",
                            .date = "2026-01-02"};
    CHECK(untuned != record.variant);
    detail::update<SpmmCore>(place.device, {}, std::vector{record});
    CHECK(choose(some_core()).variant == untuned);
    record.untuned_seconds = 2e-3;
    detail::update<SpmmCore>(place.device, {}, std::vector{record});
    const Explanation chosen = choose(some_core());
    CHECK(chosen.variant == record.variant);
    CHECK(chosen.configuration == record.configuration);
    CHECK(chosen.reason.find("measured") == 0);
    CHECK(chosen.reason.find(place.file().string()) != std::string::npos);
    SpmmCore like = some_core();
    like.a.nonzeros += 17;
    like.a.mean = static_cast<double>(like.a.nonzeros) / 30000;
    CHECK(choose(like).reason.find("predicted") == 0);
    like.a.rows *= 10;
    like.a.nonzeros *= 10;
    CHECK(choose(like).variant != record.variant);
    CHECK(choose(some_core(1)).variant != record.variant);
    const SpmmProblem problem{.m = 30000, .n = 8, .k = 20000, .nonzeros = 300000};
    CHECK(explain_spmm(place.device, problem, some_rows()).variant == record.variant);
    CHECK_THROWS_AS(explain_spmm(place.device, problem, {.rows = 1, .columns = 1, .nonzeros = 1}), Error);
  }

  TEST_CASE("made-up structures have the statistics that they are made from") {
    RowStatistics alike{.rows = 1000, .columns = 1000, .nonzeros = 7000, .longest = 7, .mean = 7, .spread = 330};
    RowStatistics one{.rows = 3, .columns = 50, .nonzeros = 40, .longest = 40, .empty_rows = 2, .mean = 40. / 3};
    for (const RowStatistics& wanted : {some_rows(), alike, one}) {
      const RowStatistics found = statistics_of(tuning::made_up_places(wanted));
      CHECK(found.rows == wanted.rows);
      CHECK(found.columns == wanted.columns);
      CHECK(found.nonzeros == wanted.nonzeros);
      CHECK(found.longest == wanted.longest);
      CHECK(found.empty_rows == wanted.empty_rows);
      if (wanted.rows < 10) continue;
      CHECK(std::abs(found.deviation - wanted.deviation) <= 0.15 * wanted.deviation);
      CHECK(std::abs(found.spread - wanted.spread) <= 0.25 * wanted.spread);
    }
  }
}

}  // namespace tilewright::test
