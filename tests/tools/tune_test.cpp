// `tilewright tune`, `records` and `regret` as a user calls them.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "tune_place.hpp"

namespace tilewright::test {
namespace {

std::string content_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_SUITE("tune command") {
  TEST_CASE_FIXTURE(TunePlace, "tune, list, explain, resume, verify, export and import") {
    const std::string tune = "tune --shapes " + shapes + " --budget 6 --json";
    const auto first = run_words(tune + " --export-t4 " + directory.file("t4.json"));
    CAPTURE(first.errors);
    REQUIRE(first.status == 0);
    const auto tuned = lines_of(first.output);
    REQUIRE(tuned.size() == 2);
    CHECK(row_of(tuned, "m", 48)["speedup"] >= 0.9);
    CHECK(row_of(tuned, "m", 24)["trans"] == "TN");
    const auto t4 = nlohmann::json::parse(content_of(directory.file("t4.json")));
    CHECK(t4["results"].size() >= 12);
    CHECK(t4["results"][0]["configuration"].contains("variant"));

    const auto listed = run_words("records list --json");
    REQUIRE(listed.status == 0);
    CHECK(lines_of(listed.output).size() >= 2);
    const auto explained = run_words("explain --shape 48x32x40");
    CHECK(explained.output.find("measured") != std::string::npos);
    // Where a model of time chooses, only records of the same problem count.
    const auto similar = run_words("explain --shape 50x30x40").output;
    CAPTURE(similar);
    CHECK((similar.find("predicted") != std::string::npos || similar.find("no record has this") != std::string::npos));

    // Nothing is left to do. With --refresh and --resume the journal saves every evaluation.
    CHECK(run_words(tune).output.empty());
    const auto resumed = run_words(tune + " --refresh --resume");
    REQUIRE(resumed.status == 0);
    CHECK(lines_of(resumed.output).size() == 2);

    const auto verified = run_words("tune --verify-only");
    CAPTURE(verified.output);
    CHECK(verified.status == 0);
    CHECK(verified.output.find("right:") != std::string::npos);
    CHECK(verified.output.find("dropped:") == std::string::npos);

    const auto all = lines_of(run_words("records list --json").output);
    const std::string file = directory.file("export.jsonl");
    REQUIRE(run_words("records export " + file).status == 0);
    const ScopedEnvironment elsewhere("TILEWRIGHT_DATA_DIR", directory.file("other"));
    CHECK(run_words("records import " + file).status == 0);
    CHECK(lines_of(run_words("records list --json").output).size() == all.size());
    CHECK(run_words("records import " + shapes).status != 0);
  }

  TEST_CASE_FIXTURE(TunePlace, "tuning in a child process, and the output of regret") {
    std::ofstream(shapes) << "m,n,k\n48,32,40\n";
    const auto tuned = run_words("tune --isolate --budget 6 --variant naive,register_strip --shapes " + shapes);
    CAPTURE(tuned.errors);
    CHECK(tuned.status == 0);
    CHECK(tuned.output.find("geometric mean") != std::string::npos);
    std::ofstream(shapes) << "m,n,k\n40,40,40\n48,32,40\n";
    const auto regret = run_words("regret --tries 8 --json --shapes " + shapes);
    CAPTURE(regret.errors);
    REQUIRE(regret.status == 0);
    const auto lines = lines_of(regret.output);
    REQUIRE(lines.size() == 1);  // the tuned shape is left out
    CHECK(lines[0]["regret"] >= 1);
    CHECK(lines[0]["tries"] >= 8);
  }

  TEST_CASE_FIXTURE(TunePlace, "an application's shapes can be recorded and tuned") {
    const std::string recorded = directory.file("recorded.csv");
    {
      const ScopedEnvironment record("TILEWRIGHT_RECORD_SHAPES", recorded);
      REQUIRE(run_words("bench --runs 1 --shape 20x24x28 --trans TN --type f32").status == 0);
    }
    CHECK(content_of(recorded) ==
          "m,n,k,trans_a,trans_b,type,type_c,accuracy,batch,epilogue\n20,24,28,T,N,f32,,full,1,\n");
    {
      const ScopedEnvironment record("TILEWRIGHT_RECORD_SHAPES", recorded);
      REQUIRE(run_words("bench --runs 1 --shape 8x9x10 --type bf16 --c-type f32").status == 0);
    }
    CHECK(content_of(recorded).ends_with("28,T,N,f32,,full,1,\n8,9,10,N,N,bf16,f32,full,1,\n"));
    const auto tuned = run_words("tune --budget 3 --json --shapes " + recorded);
    const auto rows = lines_of(tuned.output);
    REQUIRE(rows.size() == 2);
    CHECK(row_of(rows, "k", 28)["type"] == "f32");
    CHECK(row_of(rows, "k", 10)["type_c"] == "f32");
    CHECK(run_words("explain --shape 8x9x10 --type bf16 --c-type f32").output.find("measured") != std::string::npos);
    CHECK(run_words("explain --shape 8x9x10 --type bf16").output.find("measured") == std::string::npos);
  }

  TEST_CASE_FIXTURE(TunePlace, "a product with an epilogue is tuned separately") {
    const std::string product = "--shape 20x24x28 --batch 2 --epilogue bias_column+gelu+residual";
    const auto tuned = run_words("tune --budget 2 --variant naive,row_per_item --json " + product);
    CAPTURE(tuned.errors);
    REQUIRE(tuned.status == 0);
    CHECK(lines_of(tuned.output).at(0)["epilogue"] == "bias_column+gelu+residual");
    CHECK(run_words("explain " + product).output.find("measured") != std::string::npos);
  }

  TEST_CASE_FIXTURE(TunePlace, "a program's products are found and tuned by running it") {
    const std::string tune = "tune --budget 3 --json --for -- ";
    const auto tuned = run_words(tune + TILEWRIGHT_COMMAND " bench --runs 1 --shape 20x24x28 --type f32");
    CAPTURE(tuned.errors);
    REQUIRE(tuned.status == 0);
    const auto rows = lines_of(tuned.output);  // without the program's own output
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["k"] == 28);
    CHECK(rows[1]["seconds_before"] > 0);
    CHECK(rows[1]["seconds_after"] > 0);
    CHECK(run_words("explain --shape 20x24x28").output.find("measured") != std::string::npos);
    const std::pair<const char*, const char*> refusals[] = {{"/bin/false", "ended with status 1"},
                                                            {"/bin/true", "no product"},
                                                            {"/nonexistent/program", "cannot be started"}};
    for (const auto& refusal : refusals) {
      const auto refused = run_words(tune + refusal.first);
      CHECK(refused.status == 1);
      CHECK(refused.errors.find(refusal.second) != std::string::npos);
    }
    // The program's words are literal, and it does not inherit the binding of this command's threads.
    const ScopedEnvironment affinity("POCL_AFFINITY", std::nullopt);
    const auto words =
        run_command({"tune", "--for", "--", "/bin/sh", "-c", "echo \"$1<$POCL_AFFINITY>\"", "x", "[1,2]"});
    CHECK(words.errors.find("[1,2]<>\n") != std::string::npos);
    CHECK(run_words("tune --for").status == 2);
    CHECK(run_words("tune /bin/true").status == 2);
    CHECK(run_words("tune --shape 1x2x3 --for -- /bin/true").status == 2);
  }

  TEST_CASE_FIXTURE(TunePlace, "single shapes, and an operation by name") {
    const auto tuned = run_words("tune --op gemm --variant naive --budget 2 --json --shape 20x24x28,8x9x10 --trans TN");
    CAPTURE(tuned.errors);
    REQUIRE(tuned.status == 0);
    const auto rows = lines_of(tuned.output);
    REQUIRE(rows.size() == 2);
    CHECK(row_of(rows, "k", 28)["operation"] == "gemm");
    CHECK(row_of(rows, "k", 10)["trans"] == "TN");
    for (const auto& row : rows)
      if (row["variant"] != "naive") CHECK(row["variants"][0]["variant"] == "naive");
  }

  TEST_CASE_FIXTURE(TunePlace, "transpositions are tuned, chosen by records, verified and compared like products") {
    const std::string report = directory.file("report.html");
    const auto tuned =
        run_words("tune --op transpose --budget 4 --json --type f32,f16 --shape 64x48 --report " + report);
    CAPTURE(tuned.errors);
    REQUIRE(tuned.status == 0);
    const auto rows = lines_of(tuned.output);
    REQUIRE(rows.size() == 2);
    CHECK(row_of(rows, "element", "f32")["operation"] == "transpose");
    CHECK(row_of(rows, "element", "f16")["m"] == 64);
    CHECK(content_of(report).find("GB/s") != std::string::npos);
    CHECK(run_words("explain --op transpose --shape 64x48").output.find("measured") != std::string::npos);
    CHECK(lines_of(run_words("records list --json").output).size() >= 2);
    CHECK(run_words("tune --op transpose --verify-only").status == 0);

    const auto in_place = run_words("tune --op transpose --in-place --budget 2 --json --shape 40x40,24x36");
    CAPTURE(in_place.errors);
    CHECK(in_place.status == 0);
    CHECK(lines_of(in_place.output).size() == 2);

    std::ofstream(shapes) << "m,n,type\n30,20,f32\n20,31,bf16\n";
    const auto regret = run_words("regret --op transpose --tries 4 --json --shapes " + shapes);
    CAPTURE(regret.errors);
    CHECK(regret.status == 0);
    CHECK(lines_of(regret.output).size() == 2);
    const auto bench = run_words("bench --op transpose --runs 1 --json --shapes " + shapes);
    CHECK(bench.status == 0);
    CHECK(lines_of(bench.output).size() == 2);
  }

  TEST_CASE_FIXTURE(TunePlace, "the report shows other libraries, or the missing package is named") {
    const std::string report = directory.file("report.html"),
                      tune = "tune --shapes " + shapes + " --budget 2 --variant naive,row_per_item";
    const std::string against = " --against openblas", to_report = " --report " + report;
    CHECK(run_words(tune + against).status == 2);  // there is no report for them
    const auto tuned = run_words(tune + against + to_report);
    if (tuned.status != 0) {
      CHECK(tuned.errors.find("install the package libopenblas-dev") != std::string::npos);
      CHECK(run_words(tune + to_report).status == 0);
    } else {
      CHECK(content_of(report).find("as fast as OpenBLAS") != std::string::npos);
    }
    CHECK(content_of(report).find("48") != std::string::npos);
  }

  TEST_CASE_FIXTURE(TunePlace, "invalid input is reported before any work") {
    for (const char* const arguments : {"tune --budget soon",
                                        "tune --budget 5d",
                                        "tune --budget -3",
                                        "tune --budget 0",
                                        "tune --budget inf",
                                        "tune --budget nan",
                                        "tune --budget infs",
                                        "tune --budget 1e30h",
                                        "tune --budget 1e400",
                                        "tune --budget 33333333333333333333",
                                        "tune --limit 1e30",
                                        "tune --limit nan",
                                        "tune --strategy luck",
                                        "tune --op sort",
                                        "tune --shape 1x2",
                                        "tune --op transpose --shape 1x2x3",
                                        "tune --op transpose --shape 3x3 --trans TN",
                                        "tune --op transpose --in-place",
                                        "tune --in-place --shape 3x3x3",
                                        "tune --shape 8x8x8 --trans X",
                                        "regret --op sort --shapes x.csv",
                                        "tune --type f8",
                                        "tune --shapes /nonexistent.csv",
                                        "tune --report /nonexistent/report.html",
                                        "tune --report x.html --against mkl",
                                        "regret --shapes /nonexistent.csv",
                                        "records",
                                        "records import /nonexistent"}) {
      CAPTURE(arguments);
      const auto refused = run_words(arguments);
      CHECK(refused.status != 0);
      CHECK_FALSE(refused.errors.empty());
    }
    // A report must replace neither an input of the run nor another report.
    const std::string table = directory.write("shapes.csv", "m,n,k\n8,8,8\n"), report = directory.file("report");
    for (const std::string& arguments :
         {"tune --shapes " + table + " --report " + directory.file("./shapes.csv"),
          "tune --shapes " + table + " --export-t4 " + table,
          "tune --shapes " + table + " --report " + report + " --export-t4 " + report,
          "tune --shapes " + table + " --report " + report + " --export-t4 " + directory.file("./report")}) {
      CAPTURE(arguments);
      CHECK(run_words(arguments).errors.find("which this run reads or writes") != std::string::npos);
    }
    CHECK(directory.read("shapes.csv") == "m,n,k\n8,8,8\n");
    CHECK_FALSE(std::filesystem::exists(report));
  }
}

}  // namespace tilewright::test
