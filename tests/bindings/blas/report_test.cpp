#include "bindings/blas/report.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "selection/json.hpp"
#include "support/foreign_locale.hpp"

namespace tilewright::blas {

TEST_SUITE("BLAS report") {
  TEST_CASE("shapes have the sizes of their routine, and no others") {
    Report report;
    report.count({.routine = Routine::gemm, .type = DataType::f64, .m = 2, .n = 3, .k = 4, .ldb = 9}, 48, 1, nullptr);
    report.count({.routine = Routine::potrf, .type = DataType::f32, .n = 5}, 41, 1, "the host is faster");
    report.count({.routine = Routine::trsm, .type = DataType::c64, .trans_a = Transpose::yes, .m = 6, .n = 7}, 1, 1,
                 nullptr);
    const auto json = nlohmann::json::parse(report.json(""));
    for (const auto& routine : json["routines"]) {
      const auto& shape = routine["shapes"].at(0);
      if (routine["routine"] == "dgemm") {
        CHECK(shape["shape"] == "dgemm nn 2 x 3 x 4");
        CHECK(shape["k"] == 4);
        CHECK(shape["type"] == "f64");
        CHECK(shape["layout"] == "column_major");
        CHECK(shape["trans_a"] == "n");
        CHECK(shape["ldb"] == 9);
        CHECK(!shape.contains("nrhs"));
      } else if (routine["routine"] == "spotrf") {
        CHECK(shape["shape"] == "spotrf l 5");
        CHECK(shape["side"] == "host");
        CHECK(!shape.contains("m"));
        CHECK(!shape.contains("trans_a"));
        CHECK(!shape.contains("ldb"));
      } else {
        CHECK(shape["shape"] == "ctrsm llt 6 x 7");
        CHECK(shape["m"] == 6);
        CHECK(!shape.contains("k"));
      }
    }
    CHECK(json["routines"].size() == 3);
  }

  TEST_CASE("numbers are the same in any locale") {
    Report report;
    report.count({.routine = Routine::potrf, .type = DataType::f32, .n = 5}, 1.5e12, 1, nullptr);
    const test::LocaleDirectory locales;
    std::vector<std::string> names = locales.names();
    names.emplace_back();  // C++'s alone
    for (const std::string& name : names) {
      CAPTURE(name);
      const test::ForeignLocale locale(name);
      const std::string text = report.text("");
      CHECK(text.find("\nspotrf     device           1     1500.000      1.000    1500.00\n") != std::string::npos);
      CHECK(text.find("  spotrf l 5 on the device: 1 calls, 1.000 s\n") != std::string::npos);
    }
  }
}

}  // namespace tilewright::blas
