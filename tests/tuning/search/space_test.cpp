#include "tuning/search/space.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <set>
#include <string>

#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

using tuning::Enumeration;
using tuning::Random;
using tuning::Rule;
using tuning::Space;

using Texts = std::set<std::string>;

const std::vector<Parameter> four_parameters = {
    {"a", "", {1, 2, 4, 8}}, {"b", "", {1, 2, 3}}, {"c", "", {0, 1}}, {"d", "", {1, 2, 4, 8, 16}}};

// The second rule divides by a value that the first keeps from being zero. The third reads b and d only for some values
// of c.
const std::vector<Rule> four_rules = {
    {{"a", "b"}, [](const Configuration& c) { return c["a"] >= c["b"]; }},
    {{"a", "b", "d"}, [](const Configuration& c) { return c["d"] % (c["a"] / c["b"]) == 0; }},
    {{"b", "c", "d"}, [](const Configuration& c) { return c["c"] == 0 || c["b"] == 3 || c["d"] > 4; }},
};

std::string numbered_name(int number) { return std::string("p").append(std::to_string(number)); }

Texts brute_force(const std::vector<Rule>& rules) {
  Texts texts;
  for (const auto a : four_parameters[0].values)
    for (const auto b : four_parameters[1].values)
      for (const auto c : four_parameters[2].values)
        for (const auto d : four_parameters[3].values) {
          const Configuration configuration{{"a", a}, {"b", b}, {"c", c}, {"d", d}};
          bool kept = true;
          for (const Rule& rule : rules) kept = kept && rule.holds(configuration);
          if (kept) texts.insert(to_string(configuration));
        }
  return texts;
}

Texts enumerated(const Space& space) {
  Texts texts;
  Enumeration all(space);
  while (const auto configuration = all.next()) CHECK(texts.insert(to_string(*configuration)).second);
  CHECK_FALSE(all.next().has_value());
  return texts;
}

}  // namespace

TEST_SUITE("space") {
  TEST_CASE("the pruned enumeration equals brute force, without duplicates") {
    CHECK(enumerated({four_parameters, {}}).size() == 4 * 3 * 2 * 5);
    CHECK(enumerated({four_parameters, {four_rules[0]}}) == brute_force({four_rules[0]}));
    CHECK(enumerated({four_parameters, four_rules}) == brute_force(four_rules));
    CHECK(brute_force(four_rules).size() > 10);
  }

  TEST_CASE("a rule is evaluated as soon as its parameters have values, and not earlier") {
    const auto is_complete = [](const Configuration& c) { return std::distance(c.begin(), c.end()) == 4; };
    bool early = false, all_complete = true;
    const Rule of_d{{"d"}, [&](const Configuration& c) {
                      early = early || !is_complete(c);
                      return c["d"] > 2;
                    }};
    const Rule of_any{{}, [&](const Configuration& c) {
                        all_complete = all_complete && is_complete(c);
                        return c["a"] != 1;
                      }};
    CHECK(enumerated({four_parameters, {of_any, of_d}}) == brute_force({of_any, of_d}));
    CHECK(early);
    CHECK(all_complete);
  }

  TEST_CASE("dead ends are left before the other parameters are enumerated") {
    std::vector<Parameter> parameters;
    for (int i = 0; i < 30; ++i) parameters.push_back({numbered_name(i), "", {0, 1, 2, 3, 4, 5, 6, 7}});
    const Rule impossible{{"p0", "p29"}, [](const Configuration& c) { return c["p0"] + c["p29"] == 15; }};
    CHECK(enumerated({parameters, {impossible}}).empty());
  }

  TEST_CASE("a space can be empty") {
    const Space space(four_parameters, {{{"a"}, [](const Configuration& c) { return c["a"] > 8; }}});
    CHECK(enumerated(space).empty());
    Random random(1);
    CHECK_FALSE(space.random(random).has_value());
    CHECK(enumerated({{}, {}}).empty());
  }

  TEST_CASE("a rule on an unknown parameter is an error") {
    const Rule foreign{{"a", "z"}, [](const Configuration&) { return true; }};
    const auto message = expect_error(ErrorCode::unknown_parameter, [&] { return Space(four_parameters, {foreign}); });
    CHECK(mentions(message, "'z'"));
  }

  TEST_CASE("random configurations are in the space and cover all of it") {
    const Space space(four_parameters, four_rules);
    Random random(1);
    Texts seen;
    for (int i = 0; i < 2000; ++i) {
      const auto point = space.random(random);
      REQUIRE(point.has_value());
      CHECK(space.contains(*point));
      seen.insert(to_string(*point));
    }
    CHECK(seen == brute_force(four_rules));
  }

  TEST_CASE("neighbours differ in one parameter, and the list is complete") {
    const Space space(four_parameters, four_rules);
    const Texts all = brute_force(four_rules);
    for (const std::string& text : all) {
      const Configuration configuration = Configuration::parse(text);
      Texts expected;
      for (const Parameter& parameter : four_parameters)
        for (const std::int64_t value : parameter.values) {
          Configuration changed = configuration;
          changed.set(parameter.name, value);
          if (changed != configuration && all.contains(to_string(changed))) expected.insert(to_string(changed));
        }
      Texts found;
      for (const Configuration& neighbour : space.neighbours(configuration)) found.insert(to_string(neighbour));
      CHECK(found == expected);
    }
  }

  TEST_CASE("membership needs every parameter, listed values and satisfied rules") {
    const Space space(four_parameters, four_rules);
    CHECK(space.contains({{"a", 4}, {"b", 2}, {"c", 0}, {"d", 2}}));
    CHECK_FALSE(space.contains({{"a", 1}, {"b", 2}, {"c", 0}, {"d", 2}}));
    CHECK_FALSE(space.contains({{"a", 4}, {"b", 2}, {"c", 0}}));
    CHECK_FALSE(space.contains({{"a", 4}, {"b", 2}, {"c", 0}, {"d", 2}, {"e", 1}}));
    CHECK_FALSE(space.contains({{"a", 6}, {"b", 2}, {"c", 0}, {"d", 6}}));
    CHECK(space.allows({{"a", 6}, {"b", 2}, {"c", 0}, {"d", 6}}));
    CHECK_FALSE(space.allows({{"a", 6}, {"b", 2}, {"c", 0}, {"d", 7}}));
  }
}

}  // namespace tilewright::test
