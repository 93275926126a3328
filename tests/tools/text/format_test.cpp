#include "text/format.hpp"

#include <doctest/doctest.h>

#include "tuning/report/html.hpp"

namespace tilewright::test {

TEST_CASE("numbers have no exponent in tables and reports") {
  struct Case {
    double number;
    const char* text;
  };
  for (const Case& test :
       {Case{0, "0"}, Case{0.0123, "0.012"}, Case{0.2551, "0.26"}, Case{0.996, "1"}, Case{1.5, "1.5"},
        Case{99.96, "100"}, Case{999.4, "999"}, Case{999.7, "1000"}, Case{12345.6, "12346"}}) {
    CHECK(tool::format_number(test.number) == test.text);
    CHECK(tuning::short_number(test.number) == test.text);
  }
  CHECK(tool::format_seconds(0.9997) == "1000 ms");
}

}  // namespace tilewright::test
