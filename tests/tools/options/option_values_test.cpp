// Messages for wrong options, commands and words. No device is needed.
#include "options/option_values.hpp"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "text/parse_error.hpp"

namespace tilewright::tool {
namespace {

/// The message of a validator for a value, which the validator may change.
std::string complaint(const CLI::Validator& validator, std::string text) { return validator(text); }

/// Parses a command line with a subcommand `run`, which takes a number, and `store`, which has subcommands.
std::string parse(const std::vector<std::string>& words) {
  CLI::App app("test", "prog");
  app.require_subcommand(0, 1);
  std::uint64_t size = 0;
  bool flag = false;
  CLI::App* const run = app.add_subcommand("run");
  run->add_option("--size", size)->transform(whole_number(1, 1000))->required();
  run->add_flag("--json", flag);
  CLI::App* const store = app.add_subcommand("store");
  store->require_subcommand(1);
  store->add_subcommand("list");
  store->add_subcommand("clear");
  app.add_subcommand("hidden")->group("");
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return command_name(app) + "|" + describe_parse_error(app, error);
  }
  return "fine, " + std::to_string(size);
}

TEST_CASE("sizes in bytes have binary units") {
  const auto size = byte_size();
  const auto bytes_of = [&](std::string text) { return size(text).empty() ? text : std::string(); };
  CHECK(bytes_of("17") == "17");
  CHECK(bytes_of("2k") == "2048");
  CHECK(bytes_of("1.5M") == "1572864");
  CHECK(bytes_of("8G") == "8589934592");
  for (const char* const wrong : {"", "0", "-1", "M", "2X", "1e40", "nan", "inf", "2 G"}) {
    CAPTURE(wrong);
    CHECK(complaint(size, wrong).find("not a number of bytes") != std::string::npos);
  }
}

TEST_CASE("whole numbers are decimal and within bounds, and every message is short") {
  const auto size = whole_number(1, 1000);
  for (const char* const good : {"1", "1000", "010"}) CHECK(complaint(size, good).empty());
  for (const std::string& bad :
       {std::string("0"), std::string("-1"), std::string("+1"), std::string("1001"), std::string("1.5"),
        std::string("1e3"), std::string("0x10"), std::string(""), std::string(" 1"),
        std::string("99999999999999999999999"), std::string("nan"), std::string(100000, '9'), std::string("\x1b[2J")}) {
    const std::string said = complaint(size, bad);
    CHECK(said.find("is not a whole number from 1 to 1000") != std::string::npos);
    CHECK(said.size() < 120);
    CHECK(said.find('\x1b') == std::string::npos);
  }
  CHECK(complaint(whole_number(0, std::numeric_limits<std::uint64_t>::max()), "18446744073709551615").empty());
  CHECK_FALSE(complaint(whole_number(0, std::numeric_limits<std::uint64_t>::max()), "18446744073709551616").empty());
}

TEST_CASE("complex numbers") {
  using Complex = std::complex<double>;
  const std::pair<const char*, Complex> numbers[] = {{"2", 2},
                                                     {"-0.5", -0.5},
                                                     {"i", {0, 1}},
                                                     {"-i", {0, -1}},
                                                     {"1+2i", {1, 2}},
                                                     {"1-i", {1, -1}},
                                                     {"-1.5e-3i", {0, -1.5e-3}},
                                                     {"1e+2-3e-1i", {100, -0.3}},
                                                     {".5i", {0, .5}},
                                                     {"2e5+1e+1i", {2e5, 10}}};
  for (const auto& number : numbers) {
    const char* const text = number.first;
    CAPTURE(text);
    CHECK(parse_complex(text) == number.second);
    CHECK(complaint(complex_number(), text).empty());
  }
  CHECK(complaint(complex_number(), "-inf").empty());
  for (const char* const bad :
       {"", "x", "1+", "1+2", "1 + 2i", "1+2j", "i2", "1+2ii", "+-i", "1e999", "1e999i", "1+1e999i"})
    CHECK_FALSE(complaint(complex_number(), bad).empty());
}

TEST_CASE("real numbers") {
  for (const char* const good : {"0", "-2", "0.5", "1e300", ".5"}) CHECK(complaint(real_number(), good).empty());
  for (const char* const bad : {"", "x", "1x", "1e999", "-1e999", "inf", "nan", " 1"})
    CHECK_FALSE(complaint(real_number(), bad).empty());
  for (const char* const good : {"inf", "-inf", "nan", "Infinity"}) CHECK(complaint(real_number(true), good).empty());
  CHECK(complaint(real_number(true), "1e999") == "'1e999' is too large a number");
  for (const char* const bad : {"0", "-1", "nan", "inf", "11", "1e999", "x"})
    CHECK_FALSE(complaint(positive_number(10), bad).empty());
  CHECK(complaint(positive_number(10), "0.25").empty());
}

TEST_CASE("options with few possible words") {
  const auto words = one_of("type", {"f32", "f64"});
  CHECK(complaint(words, "f32").empty());
  CHECK(complaint(words, "half") == "unknown type 'half': expected f32 or f64");
}

TEST_CASE("a wrong command line is explained by its first unknown word") {
  CHECK(parse({"run", "--size", "010"}) == "fine, 10");
  CHECK(parse({"rum"}) == "prog|unknown command 'rum': did you mean run?");
  CHECK(parse({"fly", "high"}) == "prog|unknown command 'fly': expected run or store");
  CHECK(parse({"hiden"}) == "prog|unknown command 'hiden': expected run or store");
  CHECK(parse({"run", "--sise", "5"}) == "prog run|`prog run` has no option '--sise': did you mean --size?");
  CHECK(parse({"run", "--sise=5"}) == "prog run|`prog run` has no option '--sise': did you mean --size?");
  CHECK(parse({"run", "--frobnicate"}) == "prog run|`prog run` has no option '--frobnicate'");
  CHECK(parse({"run", "--size", "5", "extra", "words"}) == "prog run|`prog run` does not take the word 'extra'");
  CHECK(parse({"--json", "run", "--size", "5"}) == "prog run|the option '--json' belongs after `prog run`");
  CHECK(parse({"run"}) == "prog run|--size is required");
  CHECK(parse({"run", "--size", "0"}) == "prog run|--size: '0' is not a whole number from 1 to 1000");
  CHECK(parse({"run", "--size"}) == "prog run|--size needs a value");
  CHECK(parse({"run", "--size", "1", "--size", "2"}) == "prog run|--size is given more than once");
  CHECK(parse({"store"}) == "prog store|`prog store` needs one of its commands: list or clear");
  CHECK(parse({"store", "lsit"}) == "prog store|unknown command 'lsit': did you mean list?");
  CHECK(parse({"store", "list", "more"}) == "prog store list|`prog store list` does not take the word 'more'");
}

}  // namespace
}  // namespace tilewright::tool
