#include "tuning/report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tuning/influence.hpp"

namespace tilewright::test {
namespace {

using tuning::ReportEvaluation;
using tuning::ReportShape;
using tuning::TuneReport;

ReportShape made_up_shape(DataType type, std::uint64_t size, int evaluations) {
  ReportShape shape{.problem = {.type = type, .m = size, .n = size, .k = size},
                    .evaluations = {},
                    .untuned_seconds = 2e-3,
                    .untuned = {"register_blocked", {{"tile", 16}, {"vector", 1}}, 2e-3, 0.02},
                    .tuned = {"register_blocked", {{"tile", 64}, {"vector", 4}}, 1e-3, 0.01}};
  for (int i = 0; i < evaluations; ++i) {
    const std::int64_t tile = 16 << (i * 7 % 4), vector = 1 << (i * 5 % 3);
    const double seconds = 1e-3 * (1 + std::abs(std::log2(64.0 / static_cast<double>(tile))) +
                                   0.2 * std::abs(static_cast<double>(vector - 4)) + 0.3 * (i * 13 % 7) / 7.0);
    const char* status = i % 11 == 3 ? "compile" : seconds > 3e-3 ? "slow" : "ok";
    const Configuration configuration{{"tile", tile}, {"vector", vector}, {"fixed", 1}};
    shape.evaluations.push_back({i % 5 == 4 ? "naive" : "register_blocked", configuration, status, seconds});
  }
  return shape;
}

TuneReport made_up_report() {
  return {.device = "Device <b>\"1\"</b> & co",
          .platform = "a platform",
          .driver = "1.2.3",
          .library_version = "0.1",
          .date = "2026-01-31",
          .peak_gflops_f32 = 9000,
          .peak_gflops_f64 = 4500,
          .bandwidth_gbytes = 300,
          .shapes = {made_up_shape(DataType::f32, 1000, 120), made_up_shape(DataType::f64, 777, 90)}};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Whether every element is closed, in its order, and every quotation mark within a tag has its partner.
bool well_formed(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
    std::size_t end = at;
    bool quoted = false;
    for (; end < page.size() && (quoted || page[end] != '>'); ++end) quoted = quoted != (page[end] == '"');
    if (end == page.size()) return false;
    const std::string tag = page.substr(at + 1, end - at - 1);
    at = end;
    if (tag.front() == '!' || tag.back() == '/') continue;
    if (tag.front() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    } else {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

}  // namespace

TEST_SUITE("report") {
  TEST_CASE("it is one well-formed page that refers to nothing outside") {
    const std::string page = tuning::html_report(made_up_report());
    CHECK(well_formed(page));
    for (const char* outside : {"http", "//", "src=", "href", "@import", "url(", "<script"}) {
      CAPTURE(outside);
      CHECK_FALSE(mentions(page, outside));
    }
    for (const char* broken : {"nan", "inf\"", "-nan"}) CHECK_FALSE(mentions(page, broken));
    if (const char* file = std::getenv("TILEWRIGHT_REPORT_FILE")) std::ofstream(file) << page;  // to look at
  }

  TEST_CASE("it shows every shape, parameter and outcome") {
    const std::string page = tuning::html_report(made_up_report());
    for (const char* part : {"f32 1000 x 1000 x 1000", "f64 777 x 777 x 777", "tile = 64", "vector = 4", "naive",
                             "compile: ", "slow: ", "2.00x", "tile=64, vector=4", "f32 peak 9000 GFLOP/s",
                             "f64 peak 4500 GFLOP/s", "driver 1.2.3"}) {
      CAPTURE(part);
      CHECK(mentions(page, part));
    }
    CHECK_FALSE(mentions(page, "fixed = 1"));
  }

  TEST_CASE("foreign text is escaped") {
    TuneReport report = made_up_report();
    report.driver = "<script>alert('x')</script>\x01";
    report.shapes[0].evaluations[0].status = "\"><i>";
    report.shapes[0].evaluations[1].variant = "a&b";
    const std::string page = tuning::html_report(report);
    CHECK(well_formed(page));
    CHECK_FALSE(mentions(page, "<script"));
    CHECK_FALSE(mentions(page, "Device <b>"));
    CHECK(mentions(page, "Device &lt;b&gt;&quot;1&quot;&lt;/b&gt; &amp; co"));
    CHECK(mentions(page, "a&amp;b"));
    CHECK_FALSE(mentions(page, "\x01"));
  }

  TEST_CASE("a run with nothing in it has a report too") {
    CHECK(well_formed(tuning::html_report({})));
    TuneReport report = made_up_report();
    report.peak_gflops_f32 = report.peak_gflops_f64 = report.bandwidth_gbytes = 0;
    report.shapes[0].evaluations.clear();
    for (ReportEvaluation& evaluation : report.shapes[1].evaluations) evaluation.status = "runtime";
    report.shapes[1].tuned.seconds = report.shapes[1].untuned_seconds = 0;
    const std::string page = tuning::html_report(report);
    CHECK(well_formed(page));
    CHECK(mentions(page, "not measured"));
  }

  TEST_CASE("influence: a parameter that decides everything comes before one that decides nothing") {
    std::vector<ReportEvaluation> evaluations;
    for (int i = 0; i < 64; ++i) {
      const std::int64_t strong = i % 4, weak = i / 4 % 4;
      evaluations.push_back({"v", {{"weak", weak}, {"strong", strong}}, "ok", std::exp2(static_cast<double>(strong))});
    }
    evaluations.push_back({"v", {{"weak", 1}, {"strong", 1}}, "runtime", 0});
    evaluations.push_back({"other", {{"weak", 1}, {"strong", 1}}, "ok", 1000});
    const auto influences = tuning::parameter_influence(evaluations, "v");
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
