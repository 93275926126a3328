// Numbers, names and matches are the same in any locale. Searches the sources for locale-dependent functions, and makes
// calls in foreign locales.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "selection/device_identity.hpp"
#include "selection/json_line.hpp"
#include "support/foreign_locale.hpp"
#include "tilewright/device_group.hpp"
#include "tilewright/out_of_core.hpp"
#include "verification/gemm/gemm_case.hpp"

namespace tilewright::test {
namespace {

namespace fs = std::filesystem;

const std::set<std::string, std::less<>> depends_on_locale{
    "printf",    "fprintf",     "sprintf",  "snprintf",    "vprintf",      "vfprintf",      "vsprintf",
    "vsnprintf", "dprintf",     "asprintf", "scanf",       "fscanf",       "sscanf",        "vsscanf",
    "strtod",    "strtof",      "strtold",  "strtol",      "strtoll",      "strtoul",       "strtoull",
    "atof",      "atoi",        "atol",     "atoll",       "stod",         "stof",          "stold",
    "stoi",      "stol",        "stoll",    "stoul",       "stoull",       "strcoll",       "strxfrm",
    "strftime",  "toupper",     "tolower",  "isalpha",     "isalnum",      "isdigit",       "isxdigit",
    "isspace",   "isblank",     "isprint",  "isgraph",     "ispunct",      "isupper",       "islower",
    "iscntrl",   "strcasecmp",  "strerror", "strncasecmp", "setlocale",    "localeconv",    "mbstowcs",
    "wcstombs",  "nl_langinfo", "regex",    "basic_regex", "stringstream", "istringstream", "ostringstream",
    "ifstream",  "ofstream",    "fstream",  "istream",     "ostream",      "iostream",      "cout",
    "cerr",      "clog",        "cin",      "use_facet",   "imbue",        "put_time",      "get_time",
    "strtod_l",  "uselocale",   "newlocale"};

struct Allowed {
  std::string_view file, word, reason;
};
constexpr std::array allowed{
    Allowed{"src/runtime/system/plain_text.hpp", "", "the one place for them"},
    Allowed{"src/runtime/system/plain_text.cpp", "", "the one place for them"},
    Allowed{"src/tuning/measure/isolated_evaluator.cpp", "cin", "std::getline() takes bytes"},
    Allowed{"src/tuning/measure/isolated_evaluator.cpp", "iostream", "for std::cin"},
    Allowed{"src/verification/check_worker.cpp", "cin", "std::getline() takes bytes"},
    Allowed{"src/verification/check_worker.cpp", "iostream", "for std::cin"},
    Allowed{"tools/tilewright/text/progress.cpp", "fprintf", "writes a text"},
};

// Returns the entry that allows a word in a file; the end if there is none.
auto find_allowed(const std::string& file, const std::string& word) {
  return std::find_if(allowed.begin(), allowed.end(),
                      [&](const Allowed& one) { return one.file == file && (one.word.empty() || one.word == word); });
}

std::string code_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}}, code;
  // Skips comments and literals. A raw literal with quotes inside is split, which is harmless.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i), text.size()) + 1;
    } else if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) i += text[i] == '\\';
      code += ' ';
      continue;
    }
    if (i < text.size()) code += text[i];
  }
  return code;
}

template <class Visit>
void for_each_name(const std::string& code, Visit&& visit) {
  const auto is_part = [](char c) { return detail::is_letter(c) || detail::is_digit(c) || c == '_'; };
  for (std::size_t i = 0; i < code.size();) {
    const std::size_t begin = i;
    while (i < code.size() && is_part(code[i])) ++i;
    if (i > begin) visit(code.substr(begin, i - begin));
    if (i == begin) ++i;
  }
}

const LocaleDirectory& compiled_locales() {
  static const LocaleDirectory locales;
  return locales;
}

/// Calls check(name) with a foreign C++ locale alone, then with each foreign locale of the C library.
template <class Check>
void in_foreign_locales(const Check& check) {
  const LocaleDirectory& locales = compiled_locales();
  {
    const ForeignLocale locale;
    check(std::string("C++"));
  }
  if (locales.names().empty()) std::puts("localedef is missing, so no locale of the C library is tried");
  for (const std::string& name : locales.names()) {
    CAPTURE(name);
    const ForeignLocale locale(name);
    REQUIRE(locale.is_set());
    check(name);
  }
}

}  // namespace

TEST_SUITE("locale") {
  TEST_CASE("no source calls a locale-dependent function, except for those allowed") {
    const fs::path source = TILEWRIGHT_TEST_SOURCE;
    std::size_t files = 0;
    std::array<bool, allowed.size()> is_met{};
    for (const char* const folder : {"src", "tools", "include"})
      for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
        ++files;
        const std::string file = entry.path().lexically_relative(source).string();
        const std::string code = code_of(entry.path());
        for_each_name(code, [&](const std::string& name) {
          if (!depends_on_locale.contains(name)) return;
          const auto found = find_allowed(file, name);
          CHECK_MESSAGE(found != allowed.end(), file << " uses " << name << ", which depends on the locale; "
                                                     << "use runtime/system/plain_text.hpp");
          if (found != allowed.end()) is_met[static_cast<std::size_t>(found - allowed.begin())] = true;
        });
        if (file != "src/selection/json_line.cpp")
          for (const char* const call : {"Json::parse(", "json::parse("})
            CHECK_MESSAGE(code.find(call) == std::string::npos, file << " reads JSON without parse_json()");
      }
    CHECK(files > 300);
    for (std::size_t i = 0; i < allowed.size(); ++i)
      CHECK_MESSAGE(is_met[i], allowed[i].file << " no longer uses " << allowed[i].word << "; remove its exception");
  }

  TEST_CASE("numbers are written and read identically") {
    in_foreign_locales([](const std::string&) {
      CHECK(detail::general_text(1234567.5, 4) == "1.235e+06");
      CHECK(detail::general_text(0.5) == "0.5");
      CHECK(detail::general_text(1e-320, 17) == "9.9998886718268301e-321");
      CHECK(detail::fixed_text(12345.678, 2) == "12345.68");
      CHECK(detail::fixed_text(-1.7976931348623157e308, 17).size() == 1 + 309 + 1 + 17);
      CHECK(detail::hexadecimal_text(0xabc) == "0000000000000abc");
      CHECK(detail::date_text(0) == "1970-01-01");
      CHECK(detail::date_text(951782400) == "2000-02-29");
      CHECK(detail::parse_real("1.5") == 1.5);
      CHECK(detail::parse_real("+2.5e3") == 2500);
      CHECK(detail::parse_real("0x1p-3") == 0.125);
      for (const char* const text : {"", " 1", "1 ", "1,5", "1.5x", "x"}) CHECK_FALSE(detail::parse_real(text));
      CHECK(detail::find_whole<std::uint64_t>("4096") == 4096U);
      for (const char* const text : {"", "4.096", "+1", " 1", "18446744073709551616", "-1"})
        CHECK_FALSE(detail::find_whole<std::uint64_t>(text));
    });
  }

  TEST_CASE("texts are parsed identically") {
    in_foreign_locales([](const std::string&) {
      CHECK(detail::lower_case("INTEL(R) Iris \xc4\xb0 \xdd") == "intel(r) iris \xc4\xb0 \xdd");
      CHECK(detail::split_words(" a\tb\n\xa0 c ") == std::vector<std::string>{"a", "b", "\xa0", "c"});
      CHECK(detail::split("a;;b;", ';') == std::vector<std::string>{"a", "", "b"});
      CHECK(detail::split("", ';').empty());
    });
  }

  TEST_CASE("JSON is read and written identically, also next to a thread in another locale") {
    in_foreign_locales([](const std::string&) {
      const std::string line = R"({"seconds":0.000123456789,"huge":1.5e+300,"whole":1234567})";
      const auto values = detail::parse_json_line(line);
      CHECK(values.at("seconds").get<double>() == 0.000123456789);
      CHECK(values.at("huge").get<double>() == 1.5e300);
      CHECK(detail::to_json_line(nlohmann::ordered_json{{"x", 1234567.5}, {"n", 1234567}}) ==
            R"({"x":1234567.5,"n":1234567})");
      CHECK_THROWS(detail::parse_json_line(R"({"x":1e999})"));
      CHECK(detail::parse_json("{\"x\":1,5}", false).is_discarded());
      std::thread([&] { CHECK(detail::parse_json_line(line) == values); }).join();
      CHECK_THROWS_WITH(detail::number(values, "huge", 0.5, 1.5), "huge is not a number from 0.5 to 1.5");
    });
  }

  TEST_CASE("file names, case texts and report texts are identical") {
    const detail::DeviceIdentity identity{"INTEL PLATFORM", "INTEL", "IRIS Xe \xc3\x9c 9.1", 1024, 65536};
    const std::string stem = detail::file_stem(identity);
    CHECK(stem.starts_with("iris-xe-9-1-"));
    verification::GemmCase test;
    test.variant = "naive";
    test.m = 4096;
    test.alpha = {0.5, -1.25};
    const std::string text = verification::to_string(test);
    TileSchedule schedule;
    schedule.tile = {16384, 16384, 4096};
    schedule.tile_bytes = 1610612736;
    schedule.seconds = 1234.5;
    const std::string schedule_text = to_string(schedule);
    CHECK(schedule_text.find("1.50 GiB") != std::string::npos);
    const DeviceGroupReport report{
        .tiles = 12345, .seconds = 2.5, .devices = {{.device = "d", .work = 0.125, .seconds = 1.5}}};
    const std::string report_text = to_string(report);
    CHECK(report_text ==
          "12345 tiles in 2.5 s\nd: 0 tiles, 12.5 % of the work, 1.5 s, 0 GB up, 0 GB down, 0 GB copied, 0 taken over");
    in_foreign_locales([&](const std::string&) {
      CHECK(detail::file_stem(identity) == stem);
      CHECK(verification::to_string(test) == text);
      const verification::GemmCase read = verification::parse_gemm_case(text);
      CHECK(read.m == 4096);
      CHECK(read.alpha == test.alpha);
      CHECK(to_string(schedule) == schedule_text);
      CHECK(to_string(report) == report_text);
    });
  }
}

}  // namespace tilewright::test
