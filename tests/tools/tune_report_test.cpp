// `tilewright tune --for REPORT.json`: the products of a report of the BLAS library.
#include <doctest/doctest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

std::string shape(const std::string& side, const std::string& layout, int m, int n, int k) {
  return nlohmann::json{{"side", side}, {"layout", layout}, {"m", m},         {"n", n},        {"k", k},
                        {"lda", 99},    {"type", "f64"},    {"trans_a", "t"}, {"trans_b", "n"}}
      .dump();
}

std::string report(const std::string& shapes) {
  return R"({"routines": [{"routine": "dpotrf", "shapes": [{"n": 5}]}, {"routine": "dgemm", "shapes": [)" + shapes +
         "]}]}";
}

}  // namespace

TEST_SUITE("tune command") {
  TEST_CASE("the products of a report are tuned") {
    const TemporaryDirectory directory;
    const ScopedEnvironment data("TILEWRIGHT_DATA_DIR", directory.file("data"));
    const ScopedEnvironment on("TILEWRIGHT_RECORDS", std::nullopt);
    const auto tune = [&](const std::string& content) {
      return run_command(
          {"tune", "--variant", "naive", "--budget", "2", "--json", "--for", directory.write("calls.json", content)});
    };
    const CommandResult tuned =
        tune(report(shape("device", "column_major", 20, 24, 28) + "," + shape("device", "row_major", 16, 12, 28) + "," +
                    shape("host", "row_major", 8, 9, 10)));
    CAPTURE(tuned.errors);
    REQUIRE(tuned.status == 0);
    std::vector<std::string> products;  // without the host's
    std::istringstream lines(tuned.output);
    for (std::string line; std::getline(lines, line);) {
      const auto row = nlohmann::json::parse(line);
      CHECK(row["type"] == "f64");
      CHECK(row["k"] == 28);
      // A column-major product is the row-major one of the transposes.
      if (row["m"] == 24) CHECK(row["trans"] == "NT");
      if (row["m"] == 16) CHECK(row["trans"] == "TN");
      products.push_back(line);
    }
    CHECK(products.size() == 2);
    for (const std::string& wrong : {report(""), report("7"), report(shape("device", "sideways", 2, 3, 4)),
                                     report(shape("device", "row_major", 0, 3, 4)), std::string("[["), std::string()}) {
      CAPTURE(wrong);
      const CommandResult refused = tune(wrong);
      CHECK(refused.status == 1);
      CHECK(refused.errors.find("calls.json") != std::string::npos);
    }
    CHECK(run_command({"tune", "--for", directory.file("missing.json")}).status == 1);
    const std::string file = directory.write("calls.json", report(""));
    CHECK(run_command({"tune", "--shape", "1x2x3", "--for", file}).status == 2);
    CHECK(run_command({"tune", "--op", "transpose", "--for", file}).status == 2);
  }
}

}  // namespace tilewright::test
