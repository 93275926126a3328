#include "tilewright/configuration.hpp"

#include <doctest/doctest.h>

#include "support/expect_error.hpp"

namespace tilewright::test {

TEST_SUITE("configuration") {
  TEST_CASE("parse reads commas and spaces, in the order given") {
    const Configuration expected{{"tile_m", 128}, {"tile_n", 64}, {"pad", -1}};
    CHECK(Configuration::parse("tile_m=128,tile_n=64,pad=-1") == expected);
    CHECK(Configuration::parse("tile_m=128 tile_n=64 pad=-1") == expected);
    CHECK(Configuration::parse("  tile_m=128, tile_n=64,,pad=-1 ") == expected);
    CHECK(Configuration::parse("tile_n=64,tile_m=128,pad=-1") != expected);
    CHECK(Configuration::parse("").empty());
    CHECK(Configuration::parse(" , ").empty());
  }

  TEST_CASE("parse reads the output of to_string") {
    const Configuration configuration{{"a", 0}, {"b", -9223372036854775807}, {"c_d", 9223372036854775807}};
    CHECK(to_string(configuration) == "a=0,b=-9223372036854775807,c_d=9223372036854775807");
    CHECK(Configuration::parse(to_string(configuration)) == configuration);
    CHECK(to_string(Configuration()).empty());
  }

  TEST_CASE("text that is not name=integer is refused by name") {
    for (const char* text : {"tile", "tile=", "=4", "tile=four", "tile=4x", "tile=4.5", "tile==4", "tile=0x10",
                             "tile=9223372036854775808", "a=1;b=2"}) {
      CAPTURE(text);
      const auto message = expect_error(ErrorCode::invalid_configuration, [&] { Configuration::parse(text); });
      CHECK(mentions(message, text));
    }
  }

  TEST_CASE("a parameter given twice is refused") {
    const auto message = expect_error(ErrorCode::invalid_configuration, [] { Configuration::parse("a=1,b=2,a=3"); });
    CHECK(mentions(message, "'a'"));
  }

  TEST_CASE("values are read, changed and merged by name") {
    Configuration configuration{{"a", 1}, {"b", 2}};
    CHECK(configuration["b"] == 2);
    CHECK(configuration.contains("a"));
    CHECK_FALSE(configuration.contains("A"));
    const auto message = expect_error(ErrorCode::unknown_parameter, [&] { return configuration["missing"]; });
    CHECK(mentions(message, "missing"));

    configuration.set("b", 5);
    configuration.set("c", 7);
    CHECK(configuration == Configuration{{"a", 1}, {"b", 5}, {"c", 7}});
    configuration.merge({{"c", 8}, {"a", 0}});
    CHECK(configuration == Configuration{{"a", 0}, {"b", 5}, {"c", 8}});
  }
}

}  // namespace tilewright::test
