#include "tuning/search/search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

namespace tilewright::test {
namespace {

using tuning::Search;
using tuning::Space;

// 8 * 8 * 2 * 4 configurations, except those that the rule forbids.
Space some_space() {
  return {{{"a", "", {1, 2, 4, 8, 16, 32, 64, 128}},
           {"b", "", {1, 2, 4, 8, 16, 32, 64, 128}},
           {"c", "", {0, 1}},
           {"d", "", {1, 2, 3, 4}}},
          {{{"a", "b"}, [](const Configuration& c) { return c["a"] * c["b"] <= 1024; }}}};
}

constexpr std::size_t some_space_size = (64 - 10) * 2 * 4;
const Configuration optimum{{"a", 16}, {"b", 8}, {"c", 1}, {"d", 3}};

// Smooth in a and b; fails for a fifth of the configurations.
std::optional<double> seconds(const Configuration& configuration) {
  const auto distance = [&](const char* name) {
    return std::abs(std::log2(static_cast<double>(configuration[name]) / static_cast<double>(optimum[name])));
  };
  if ((configuration["a"] + configuration["b"] + configuration["d"]) % 5 == 0) return {};
  return 1e-3 * (1 + distance("a") + 0.5 * distance("b") + (configuration["c"] == 1 ? 0 : 0.3) + distance("d"));
}

/// Answers the questions of a search, and returns the questions.
std::vector<Configuration> run(Search& search, std::size_t evaluations) {
  std::vector<Configuration> asked;
  while (asked.size() < evaluations) {
    const auto configuration = search.next();
    if (!configuration) break;
    asked.push_back(*configuration);
    search.report(*configuration, seconds(*configuration));
  }
  return asked;
}

std::vector<Configuration> run(std::string_view strategy, std::size_t evaluations, std::uint64_t random_seed) {
  return run(*tuning::make_search(strategy, some_space(), {}, random_seed), evaluations);
}

std::set<std::string> texts(const std::vector<Configuration>& configurations) {
  std::set<std::string> result;
  for (const Configuration& configuration : configurations) result.insert(to_string(configuration));
  return result;
}

double best_seconds(const std::vector<Configuration>& configurations) {
  double best = std::numeric_limits<double>::infinity();
  for (const Configuration& configuration : configurations)
    best = std::min(best, seconds(configuration).value_or(best));
  return best;
}

}  // namespace

TEST_SUITE("search") {
  TEST_CASE("every strategy asks for each configuration once, and finally for all") {
    for (const std::string& strategy : tuning::search_strategies()) {
      CAPTURE(strategy);
      const auto asked = run(strategy, 2 * some_space_size, 1);
      CHECK(asked.size() == some_space_size);
      CHECK(texts(asked).size() == some_space_size);
      for (const Configuration& configuration : asked) CHECK(some_space().contains(configuration));
    }
  }

  TEST_CASE("equal random seeds give equal questions, others give different ones") {
    for (const std::string& strategy : tuning::search_strategies()) {
      CAPTURE(strategy);
      const auto asked = run(strategy, 60, 5);
      CHECK(asked == run(strategy, 60, 5));
      if (strategy != "full") CHECK(asked != run(strategy, 60, 6));
    }
  }

  TEST_CASE("learning strategies find the optimum of a smooth space despite many failures") {
    for (const std::string strategy : {"guided", "greedy"})
      for (std::uint64_t random_seed = 1; random_seed <= 5; ++random_seed) {
        CAPTURE(strategy);
        CAPTURE(random_seed);
        CHECK(best_seconds(run(strategy, 150, random_seed)) == best_seconds({optimum}));
      }
  }

  TEST_CASE("seeds come first and in order, without repeated and forbidden ones") {
    const Configuration first{{"a", 3}, {"b", 5}, {"c", 0}, {"d", 1}};  // not among the listed values
    const Configuration second{{"a", 8}, {"b", 8}, {"c", 0}, {"d", 1}};
    const Configuration forbidden{{"a", 128}, {"b", 128}, {"c", 0}, {"d", 1}};
    for (const std::string& strategy : tuning::search_strategies()) {
      CAPTURE(strategy);
      const auto search = tuning::make_search(strategy, some_space(), {first, forbidden, second, first}, 1);
      const auto asked = run(*search, 40);
      REQUIRE(asked.size() == 40);
      CHECK(asked[0] == first);
      CHECK(asked[1] == second);
      CHECK(texts(asked).size() == 40);
    }
  }

  TEST_CASE("a search does not ask for known results, but learns from them") {
    for (const std::string& strategy : tuning::search_strategies()) {
      CAPTURE(strategy);
      const auto before = run(strategy, 50, 1);
      const auto search = tuning::make_search(strategy, some_space(), {before.front()}, 2);
      for (const Configuration& configuration : before) search->report_known(configuration, seconds(configuration));
      auto all = run(*search, 2 * some_space_size);
      CHECK(all.size() == some_space_size - 50);
      all.insert(all.end(), before.begin(), before.end());
      CHECK(texts(all).size() == some_space_size);
    }
    const auto search = tuning::make_search("greedy", some_space(), {}, 1);
    search->report_known(optimum, seconds(optimum));
    const auto next = search->next();
    REQUIRE(next.has_value());
    int differences = 0;
    for (const auto& [name, value] : *next) differences += value == optimum[name] ? 0 : 1;
    CHECK(differences == 1);
  }

  TEST_CASE("a search continues to the end even if everything fails") {
    for (const std::string& strategy : tuning::search_strategies()) {
      CAPTURE(strategy);
      const auto search = tuning::make_search(strategy, some_space(), {}, 1);
      std::size_t count = 0;
      while (const auto configuration = search->next()) {
        search->report(*configuration, std::nullopt);
        ++count;
      }
      CHECK(count == some_space_size);
    }
  }

  TEST_CASE("an unknown strategy is refused, and the message lists the known ones") {
    CHECK_THROWS_WITH_AS(tuning::make_search("clever", some_space(), {}, 1),
                         "there is no search strategy 'clever'; the strategies are: guided, greedy, random, full",
                         std::invalid_argument);
  }
}

}  // namespace tilewright::test
