#include "tuning/report/report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "selection/json.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/report/html.hpp"

namespace tilewright::test {
namespace {

using nlohmann::json;
using tuning::Evaluation;
using tuning::ReportShape;
using tuning::Status;
using tuning::Timed;
using tuning::Trial;
using tuning::Tuned;
using tuning::TuneReport;

const Configuration fast{{"tile", 64}, {"vector", 4}, {"fixed", 1}};
const Configuration plain{{"tile", 16}, {"vector", 1}, {"fixed", 1}};

// A search over two variants; the winner's time differs between search and final.
Tuned made_up_results(const GemmProblem& product, int evaluations, double scale = 1) {
  const tuning::Problem problem = tuning::tunable(product);
  const double flops = problem->work().operations;
  const double unit = scale * 1e-11 * flops + 3e-6;
  const Choice best{"register_blocked", fast}, untuned{"register_blocked", plain};
  Tuned tuned;
  tuned.problem = problem;
  tuned.evaluations = {{{problem, untuned}, {Status::ok, 2.125 * unit, 3, 0.1, {}}}};
  tuned.untuned = {untuned, 2.25 * unit, 0.02, 10};
  tuned.best = {best, unit, 0.013, 10};
  for (int i = 0; i < evaluations; ++i) {
    const std::int64_t tile = 8 << (i * 7 % 5), vector = 1 << (i * 5 % 3);
    const Configuration configuration{{"tile", tile}, {"vector", vector}, {"fixed", 1}, {"unroll", i * 3 % 8 + 1}};
    const double seconds = unit * (1.02 + 0.6 * std::abs(std::log2(64.0 / static_cast<double>(tile))) +
                                   0.2 * std::abs(static_cast<double>(vector - 4)) + 0.3 * (i * 13 % 7) / 7.0);
    const char* variant = i % 5 == 4 ? "local_tile" : i % 7 == 5 ? "group_reduction" : "register_blocked";
    Evaluation evaluation{Status::ok, i % 5 == 4 ? 2 * seconds : seconds, 3, 0.1, {}};
    if (seconds > 2 * unit) evaluation.status = Status::slow, evaluation.timings = i % 2 == 0 ? 1 : 0;
    if (i % 11 == 3) evaluation = {Status::compile, 0, 0, 0.1, "build log of " + std::to_string(i % 2)};
    if (i % 31 == 30) evaluation = {Status::timeout, 0, 0, 0.1, {}};
    tuned.evaluations.push_back({{problem, {variant, configuration}}, evaluation});
  }
  tuned.evaluations.push_back({{problem, best}, {Status::ok, 0.875 * unit, 3, 0.1, {}}});
  return tuned;
}

GemmProblem square(DataType type, std::uint64_t size) { return {.type = type, .m = size, .n = size, .k = size}; }

TuneReport made_up_report() {
  return {.device = "Device <b>\"1\"</b> & co",
          .platform = "a platform",
          .driver = "1.2.3",
          .library_version = "0.1",
          .date = "2026-01-31",
          .budget = "10m",
          .strategy = "guided",
          .seed = 7,
          .roofs = {{DataType::f32, 9000}, {DataType::f64, 4500}},
          .bandwidth_gbytes = 300,
          .shapes = {{made_up_results(square(DataType::f32, 1000), 120)},
                     {made_up_results({.m = 16, .n = 2048, .k = 512}, 90)},
                     {made_up_results(square(DataType::f64, 777), 90, 2)}}};
}

// A report as large as that of a long run on a large device, for manual inspection.
TuneReport large_report() {
  TuneReport report = made_up_report();
  report.device = "A large device with a long name, 128 compute units";
  report.bandwidth_gbytes = 400;
  report.shapes.clear();
  for (const DataType type : {DataType::f32, DataType::f64})
    for (const GemmProblem& size :
         {square(type, 64), square(type, 256), square(type, 1024), square(type, 4096),
          GemmProblem{.type = type, .m = 1, .n = 4096, .k = 4096},
          GemmProblem{.type = type, .trans_a = Transpose::yes, .m = 5124, .n = 700, .k = 2048},
          GemmProblem{.type = type, .m = 256, .n = 256, .k = 16384}}) {
      const auto count = static_cast<double>(report.shapes.size());
      ReportShape shape{made_up_results(size, 150 + 37 * static_cast<int>(count), type == DataType::f64 ? 2 : 1)};
      Timed& best = shape.tuned.best;
      shape.tuned.untuned.seconds = best.seconds * (1 + 0.9 * std::fmod(count * 0.618, 1) * std::fmod(count, 5));
      best.variation = count == 9 ? 0.31 : 0.004 + 0.03 * std::fmod(count * 0.37, 1);
      shape.references = {{"CLBlast", best.seconds * (1.1 + std::fmod(count * 0.7, 2))},
                          {"OpenBLAS", best.seconds * (0.7 + std::fmod(count * 0.3, 1))}};
      report.shapes.push_back(std::move(shape));
    }
  report.shapes[4].tuned.best.seconds = 0;
  report.shapes[4].tuned.problem_message = "no configuration gave a correct result";
  return report;
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

const std::string data_begin = "<script type=\"application/json\" id=\"data\">";

json data_of(const std::string& page) {
  const std::size_t begin = page.find(data_begin) + data_begin.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

json data_of(const TuneReport& report) { return data_of(tuning::html_report(report)); }

// The part that a browser without scripts shows.
std::string markup(const std::string& page) { return page.substr(0, page.find(data_begin)); }

// Whether elements are closed in order, and quotation marks within tags are paired.
bool well_formed(const std::string& text) {
  std::vector<std::string> open;
  const std::string page = text + "</body></html>";
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

// Collects every {"value", "text"} within a value.
void collect(const json& values, std::vector<json>& quantities) {
  if (values.is_object() && values.contains("text")) quantities.push_back(values);
  if (values.is_structured())
    for (const json& value : values) collect(value, quantities);
}

}  // namespace

TEST_SUITE("report") {
  TEST_CASE("a report is one well-formed page without external references") {
    const std::string page = tuning::html_report(made_up_report());
    CHECK(well_formed(markup(page)));
    CHECK(mentions(page, "default-src 'none'"));
    for (const char* outside : {"http:", "https:", "//", "src=", "@import", "url(", "{{", "}}\n"}) {
      CAPTURE(outside);
      CHECK_FALSE(mentions(page, outside));
    }
    CHECK(count_of(page, "href=\"") == count_of(page, "href=\"#"));
    CHECK(count_of(page, "<script") == 2);
    CHECK(count_of(page, "</script") == 2);
    if (const char* file = std::getenv("TILEWRIGHT_REPORT_FILE"))
      std::ofstream(file) << tuning::html_report(large_report());  // for manual inspection
  }

  TEST_CASE("the data are those of the run") {
    const TuneReport report = made_up_report();
    const json data = data_of(report);
    CHECK(data["device"] == report.device);
    CHECK(data["driver"] == "1.2.3");
    REQUIRE(data["shapes"].size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const Tuned& tuned = report.shapes[i].tuned;
      const json& shape = data["shapes"][i];
      CHECK(shape["tuned"]["time"]["value"] == tuned.best.seconds);
      CHECK(shape["untuned"]["time"]["value"] == tuned.untuned.seconds);
      CHECK(shape["tuned"]["variation"]["value"] == tuned.best.variation);
      CHECK(shape["gain"]["value"] == doctest::Approx(2.25));
      CHECK(shape["tried"] == tuned.evaluations.size());
      REQUIRE(shape["trials"].size() == tuned.evaluations.size());
      std::size_t failed = 0;
      for (std::size_t j = 0; j < tuned.evaluations.size(); ++j) {
        const auto& [trial, evaluation] = tuned.evaluations[j];
        const json& choice = data["choices"][shape["trials"][j]["choice"].get<std::size_t>()];
        CHECK(choice["variant"] == trial.choice.variant);
        CHECK(Configuration::parse(choice["configuration"].get<std::string>()) == trial.choice.configuration);
        CHECK(shape["trials"][j]["status"] == to_string(evaluation.status));
        CHECK(shape["trials"][j].contains("speed") == evaluation.timed());
        failed += evaluation.timed() ? 0U : 1U;
      }
      CHECK(shape["failed"] == failed);
      CHECK(shape["trials"][1]["time"]["value"] == tuned.evaluations[1].second.seconds);
    }
    CHECK(data["shapes"][0]["name"] == "1000 x 1000 x 1000 f32 NN");
    CHECK(data["shapes"][0]["tuned"]["speed"]["value"] == doctest::Approx(2 / report.shapes[0].tuned.best.seconds));
    const json& failures = data["shapes"][0]["failures"];
    REQUIRE(failures.size() == 3);
    CHECK(failures[0]["message"] != failures[1]["message"]);
    CHECK(failures[2]["status"] == "timeout");
  }

  TEST_CASE("the heading and the results can be read without the script") {
    const std::string text = markup(tuning::html_report(made_up_report()));
    for (const char* part :
         {"2.25×", "geometric mean over 3 shapes", "10m", "guided search, seed 7", "driver 1.2.3", "2026-01-31",
          "1000 x 1000 x 1000 f32 NN", "777 x 777 x 777 f64 NN", "1.3 %", "tile=64, vector=4", "3 of 3"}) {
      CAPTURE(part);
      CHECK(mentions(text, part));
    }
  }

  TEST_CASE("a quantity has one value and one text") {
    const TuneReport report = made_up_report();
    const std::string page = tuning::html_report(report);
    const json data = data_of(page);
    for (std::size_t i = 0; i < 3; ++i) {
      const json& shape = data["shapes"][i];
      for (const char* which : {"tuned", "untuned"}) {
        const json& timing = shape[which];
        std::size_t shown = 0;
        for (const json& trial : shape["trials"])
          if (trial["choice"] == timing["choice"]) {
            ++shown;
            CHECK(trial["speed"] == timing["speed"]);
            CHECK(trial["time"] == timing["time"]);
            CHECK(trial["timings"] == timing["timings"]);
          }
        CHECK(shown == 1);
        CHECK(mentions(markup(page), ">" + timing["speed"]["text"].get<std::string>() + "</td>"));
      }
    }
    // Equal values have equal texts everywhere, and the winner's time from the search does not appear.
    std::vector<json> quantities;
    collect(data["shapes"], quantities);
    for (const json& quantity : quantities) CHECK(quantity["value"] != 0.875 * report.shapes[0].tuned.best.seconds);
    for (const json& row : data["heatmaps"][0]["rows"])
      for (const json& cell : row["cells"])
        if (!cell.is_null() && cell.value("won", false)) CHECK(cell["share"]["text"] == "100 %");
  }

  TEST_CASE("a failure after the search has no time and counts once") {
    TuneReport report = made_up_report();
    Tuned& tuned = report.shapes[0].tuned;
    const auto before = data_of(report)["shapes"][0];
    const Trial trial = tuned.evaluations[1].first;
    tuned.evaluations.push_back({trial, {.status = Status::correctness, .message = "wrong at an edge"}});
    const auto after = data_of(report)["shapes"][0];
    CHECK(after["tried"] == before["tried"]);
    CHECK(after["failed"] == before["failed"].get<int>() + 1);
    CHECK(after["trials"][1]["status"] == "correctness");
    CHECK_FALSE(after["trials"][1].contains("speed"));
  }

  TEST_CASE("the roofline covers only types that ran") {
    TuneReport report = made_up_report();
    CHECK(data_of(report)["roofs"].size() == 2);
    report.shapes[2].tuned.best.seconds = 0;  // f64 has no result
    const json data = data_of(report);
    REQUIRE(data["roofs"].size() == 1);
    CHECK(data["roofs"][0]["type"] == "f32");
    CHECK(data["roofs"][0]["peak"]["value"] == 9000);
    CHECK(mentions(markup(tuning::html_report(report)), "Without a result: shape 3."));
    report.roofs = {};
    report.bandwidth_gbytes = 0;
    CHECK(data_of(report)["roofs"].empty());
    CHECK(data_of(report)["bandwidth"].is_null());
  }

  TEST_CASE("a map shows the winners of a type by shape") {
    TuneReport report = made_up_report();
    const json maps = data_of(report)["heatmaps"];
    REQUIRE(maps.size() == 1);  // f64 has one shape
    CHECK(maps[0]["type"] == "f32");
    CHECK(maps[0]["shapes"] == json{0, 1});
    REQUIRE(maps[0]["rows"].size() == 2);
    CHECK(maps[0]["rows"][0]["wins"] == 2);
    CHECK(maps[0]["rows"][1]["typical"]["value"] == doctest::Approx(1 / 2.25));
    report.shapes[0].tuned.best = {report.shapes[0].tuned.evaluations[1].first.choice, 1e-9, 0, 10};
    report.shapes[1].tuned.evaluations.front().second = {.status = Status::crash};
    const json rows = data_of(report)["heatmaps"][0]["rows"];
    REQUIRE(rows.size() == 3);
    for (const json& row : rows) CHECK(row["cells"].size() == 2);
  }

  TEST_CASE("other libraries are shown if they were measured") {
    TuneReport report = made_up_report();
    CHECK(data_of(report)["libraries"].empty());
    const double best = report.shapes[1].tuned.best.seconds;
    report.shapes[1].references = {{"CLBlast", 1.5 * best}};
    const std::string page = tuning::html_report(report);
    const json data = data_of(page);
    REQUIRE(data["libraries"].size() == 1);
    CHECK(data["libraries"][0]["shapes"] == 1);
    CHECK(data["shapes"][0]["references"].empty());
    CHECK(data["shapes"][1]["references"][0]["time"]["value"] == 1.5 * best);
    CHECK(data["shapes"][1]["references"][0]["ratio"]["text"] == "1.50×");
    CHECK(mentions(markup(page), "as fast as CLBlast"));
  }

  TEST_CASE("noise is shown, with a warning above 20 %") {
    TuneReport report = made_up_report();
    CHECK(data_of(report)["warnings"].empty());
    report.shapes[1].tuned.best.variation = 0.25;
    const json data = data_of(report);
    CHECK(data["noise"]["median"]["text"] == "1.3 %");
    CHECK(data["noise"]["most"]["text"] == "25.0 %");
    REQUIRE(data["warnings"].size() == 1);
    CHECK(mentions(data["warnings"][0].get<std::string>(), "shape 2"));
    for (ReportShape& shape : report.shapes) shape.tuned.best.timings = 1;  // one timing gives no noise
    CHECK(data_of(report)["noise"].is_null());
  }

  TEST_CASE("work skipped for lack of time and failures of the untuned choice are shown") {
    TuneReport report = made_up_report();
    for (const ReportShape& shape : report.shapes) CHECK(shape.tuned.unverified == 0);
    report.shapes[0].tuned.untuned_message = "wrong at an edge";
    report.shapes[0].tuned.unverified = 3;
    report.shapes[1].tuned.uncompared = 2;
    report.shapes[2].tuned.best.seconds = 0;
    report.shapes[2].tuned.out_of_time = true;
    const json data = data_of(report);
    REQUIRE(data["shapes"][0]["notes"].size() == 2);
    CHECK(data["shapes"][0]["notes"][0] == "The untuned configuration failed: wrong at an edge");
    CHECK(mentions(data["shapes"][0]["notes"][1].get<std::string>(), " 3 "));
    CHECK(mentions(data["shapes"][1]["notes"][0].get<std::string>(), " 2 "));
    CHECK(data["shapes"][2]["notes"].empty());
    const std::string text = markup(tuning::html_report(report));
    for (const char* part : {"Not tuned for lack of time: shape 3.", "untuned configuration failed: shape 1.",
                             "and so not used: shape 1.", "were not timed for lack of time: shape 2."}) {
      CAPTURE(part);
      CHECK(mentions(text, part));
    }
    CHECK_FALSE(mentions(text, "Without a result"));
  }

  TEST_CASE("foreign text is escaped") {
    const std::string foreign = "</script><script>alert('x')</script><!-- {{data}} \xff\xc3\xe2\x80\xa8 \x01\"&";
    TuneReport report = made_up_report();
    report.device = report.platform = report.driver = report.budget = foreign;
    report.shapes[0].tuned.evaluations[4].second.message = foreign;
    report.shapes[0].tuned.evaluations[5].first.choice.variant = foreign;
    report.shapes[0].references = {{foreign, 1}};
    report.shapes[1].tuned.best.seconds = 0;
    report.shapes[1].tuned.problem_message = foreign;
    const std::string page = tuning::html_report(report);
    CHECK(well_formed(markup(page)));
    CHECK(count_of(page, "<script") == 2);
    CHECK(count_of(page, "</script") == 2);
    CHECK_FALSE(mentions(page, "<!--"));
    CHECK_FALSE(mentions(page, "\xff"));
    CHECK_FALSE(mentions(page, "\x01"));
    const json data = data_of(page);
    CHECK(data["device"] == tuning::readable(foreign));
    CHECK(
        mentions(data["device"].get<std::string>(), "</script><script>alert('x')</script><!-- {{data}} \xef\xbf\xbd"));
    CHECK(data["shapes"][1]["message"] == tuning::readable(foreign));
  }

  TEST_CASE("an empty run has a report, too") {
    const std::string empty = tuning::html_report({});
    CHECK(well_formed(markup(empty)));
    CHECK(mentions(markup(empty), "No shape was tuned."));
    CHECK(data_of(empty)["gain"].is_null());
    TuneReport report = made_up_report();
    report.shapes[0].tuned.evaluations.clear();
    for (auto& [trial, evaluation] : report.shapes[1].tuned.evaluations) evaluation = {.status = Status::runtime};
    report.shapes[2].tuned = {};
    report.shapes[2].tuned.problem = tuning::tunable(square(DataType::f64, 5));
    const std::string page = tuning::html_report(report);
    CHECK(well_formed(markup(page)));
    CHECK(data_of(page)["shapes"][2]["message"] == "the run ended before there was a result");
    for (const char* broken : {"nan", "inf", "null×"}) CHECK_FALSE(mentions(markup(page), std::string(">") + broken));
  }
}

}  // namespace tilewright::test
