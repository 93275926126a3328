#include "selection/json_line.hpp"

#include <doctest/doctest.h>

#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

std::string refusal(std::string_view line) {
  try {
    detail::parse_json_line(line);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

TEST_SUITE("JSON lines") {
  TEST_CASE("a line is a JSON object within limits, or is refused with a message") {
    CHECK(detail::parse_json_line(R"({"a":[1,{"b":"[[[[[[[[[[[[[[[[[[[[\"{{"}]})")["a"][0] == 1);
    CHECK(refusal(R"({"a":1})" + std::string("\r")).empty());
    CHECK(mentions(refusal("not JSON"), "byte"));
    for (const char* line :
         {"", "{", "[]", "1", "null", "\"text\"", "{\"a\":1}{}", "{\"a\":\"\xff\"}", "{\"a\":1e999}"}) {
      CAPTURE(line);
      CHECK_FALSE(refusal(line).empty());
    }
    CHECK(mentions(refusal("{\"a\":\"" + std::string(detail::longest_json_line, 'x') + "\"}"), "longer"));
  }

  TEST_CASE("deeply nested lines are refused without deep recursion") {
    const auto nested = [](std::size_t levels) {
      return "{\"a\":" + repeated("[", levels - 1) + repeated("]", levels - 1) + '}';
    };
    CHECK(refusal(nested(detail::deepest_json)).empty());
    for (const std::size_t levels : {std::size_t{detail::deepest_json + 1}, std::size_t{1000}, std::size_t{30000}})
      CHECK(mentions(refusal(nested(levels)), "deep"));
    CHECK(mentions(refusal(repeated("{\"a\":", 10000)), "deep"));
    CHECK(mentions(refusal(repeated("[", 60000)), "deep"));
  }

  TEST_CASE("any text can be written and read again") {
    const auto line = detail::to_json_line({{"a", "\xff\xfe\n"}});
    CHECK(detail::parse_json_line(line)["a"] == "\xef\xbf\xbd\xef\xbf\xbd\n");
    CHECK(detail::printable("a\x1b[2J\nb\x7f") == "a?[2J?b?");
    CHECK(detail::printable(std::string(5000, 'x')).size() < 400);
  }

  TEST_CASE("values that are not numbers, or are out of range, are refused") {
    const auto values = detail::parse_json_line(
        R"({"minus":-1,"half":0.5,"huge":1e308,"whole":7.0,"most":18446744073709551615,"more":18446744073709551616,
            "text":"7","list":[7],"none":null,"seven":7})");
    for (const auto& item : values.items()) {
      const std::string name = item.key();
      CAPTURE(name);
      const auto whole = [&] { return detail::whole_number(values, name.c_str(), 0, 100); };
      if (name == "seven")
        CHECK(whole() == 7);
      else
        CHECK_THROWS_AS(whole(), std::runtime_error);
    }
    CHECK(detail::number(values, "half", 0, 1) == 0.5);
    for (const char* name : {"minus", "huge", "seven", "text", "list", "none", "absent"}) {
      CAPTURE(name);
      CHECK_THROWS_AS(detail::number(values, name, 0, 1), std::runtime_error);
    }
    CHECK_THROWS_AS(detail::boolean(values, "seven"), std::runtime_error);
    CHECK_THROWS_AS(detail::text(values, "seven"), std::runtime_error);
    CHECK(detail::text(values, "text") == "7");
  }
}

}  // namespace tilewright::test
