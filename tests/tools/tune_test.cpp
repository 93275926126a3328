// `tilewright tune`, `records` and `regret` as a user calls them.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <thread>

#include "records/json.hpp"
#include "run_command.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

struct Place {
  TemporaryDirectory directory;
  ScopedEnvironment data{"TILEWRIGHT_DATA_DIR", directory.file("data")};
  ScopedEnvironment on{"TILEWRIGHT_RECORDS", std::nullopt};
  std::string shapes = directory.file("shapes.csv");

  Place() { std::ofstream(shapes) << "m,n,k,trans_a,trans_b\n48,32,40,N,N\n24,40,16,T,N\n"; }
};

// The words of a command line, which hold no spaces here.
CommandResult run_words(const std::string& words) {
  std::istringstream stream(words);
  return run_command({std::istream_iterator<std::string>(stream), {}});
}

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

// The lines of the one journal in a directory of records that hold a word, once there are enough of them.
std::size_t wait_for_lines(const std::string& data, std::string_view word, std::size_t enough) {
  std::size_t count = 0;
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
       count < enough && std::chrono::steady_clock::now() < end;
       std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
    count = 0;
    std::error_code none_yet;
    for (const auto& journal : std::filesystem::directory_iterator(data + "/journal", none_yet)) {
      std::ifstream stream(journal.path());
      for (std::string line; std::getline(stream, line);) count += line.find(word) != std::string::npos ? 1U : 0U;
    }
  }
  return count;
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_SUITE("tune command") {
  TEST_CASE_FIXTURE(Place, "tune, list, explain, resume, verify, export and import") {
    const std::string tune = "tune --shapes " + shapes + " --budget 10 --json";
    const auto first =
        run_words(tune + " --export-t4 " + directory.file("t4.json") + " --report " + directory.file("report.html"));
    CAPTURE(first.errors);
    REQUIRE(first.status == 0);
    const auto tuned = lines_of(first.output);
    REQUIRE(tuned.size() == 2);
    CHECK(tuned[0]["m"] == 48);
    CHECK(tuned[0]["speedup"] >= 0.9);
    CHECK(tuned[1]["trans"] == "TN");
    const auto t4 = nlohmann::json::parse(content_of(directory.file("t4.json")));
    CHECK(t4["results"].size() >= 20);
    CHECK(t4["results"][0]["configuration"].contains("variant"));
    CHECK(content_of(directory.file("report.html")).find("48") != std::string::npos);

    const auto listed = run_words("records list --json");
    REQUIRE(listed.status == 0);
    CHECK(lines_of(listed.output).size() >= 2);
    const auto explained = run_words("explain --shape 48x32x40");
    CHECK(explained.output.find("measured") != std::string::npos);
    const auto predicted = run_words("explain --shape 50x30x40");
    CHECK(predicted.output.find("predicted") != std::string::npos);

    // Nothing left to do; with --refresh and --resume the journal saves every evaluation.
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

  TEST_CASE_FIXTURE(Place, "in a child process, and what regret prints") {
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

  TEST_CASE_FIXTURE(Place, "a run that is killed or interrupted goes on where it was") {
    const std::string place = directory.file("data");
    const std::vector<std::string> command{
        TILEWRIGHT_COMMAND, "tune", "--variant", "naive,row_per_item", "--shapes", shapes, "--budget", "10m", "--json"};
    std::size_t done = 0;
    for (const int signal : {SIGKILL, SIGINT}) {
      std::vector<std::string> words = command;
      if (done > 0) words.emplace_back("--resume");
      ChildProcess run(words);
      const std::size_t more = wait_for_lines(place, "\"end\"", done + 4);
      REQUIRE(more >= done + 4);
      run.kill(signal);
      CHECK(run.wait() == (signal == SIGKILL ? 128 + SIGKILL : 1));
      done = more;
    }
    const auto finished = run_words("tune --variant naive,row_per_item --json --refresh --resume --budget " +
                                    std::to_string(done) + " --shapes " + shapes);
    CHECK(finished.status == 0);
    CHECK(lines_of(finished.output).size() == 2);
    // Nothing was tried twice, but for the one that the kill had caught, whose line may be half written.
    std::map<std::string, int> times;
    for (const auto& journal : std::filesystem::directory_iterator(place + "/journal")) {
      std::ifstream stream(journal.path());
      for (std::string text; std::getline(stream, text);)
        if (const auto line = nlohmann::json::parse(text, nullptr, false);
            line.is_object() && line.value("event", "") == "begin")
          ++times[line["trial"].dump()];
    }
    CHECK(std::count_if(times.begin(), times.end(), [](const auto& trial) { return trial.second > 1; }) <= 1);
  }

  TEST_CASE_FIXTURE(Place, "an application's shapes can be recorded and tuned") {
    const std::string recorded = directory.file("recorded.csv");
    {
      const ScopedEnvironment record("TILEWRIGHT_RECORD_SHAPES", recorded);
      REQUIRE(run_words("bench --runs 1 --shape 20x24x28 --trans TN --type f32").status == 0);
    }
    CHECK(content_of(recorded) == "m,n,k,trans_a,trans_b,type,batch\n20,24,28,T,N,f32,1\n");
    const auto tuned = run_words("tune --budget 3 --json --shapes " + recorded);
    REQUIRE(lines_of(tuned.output).size() == 1);
    CHECK(lines_of(tuned.output)[0]["k"] == 28);
  }

  TEST_CASE_FIXTURE(Place, "the report shows other libraries, or the package that is missing is named") {
    const std::string tune = "tune --variant naive --shapes " + shapes + " --budget 1 --against openblas";
    CHECK(run_words(tune).status == 2);  // there is nothing to show them in
    const auto tuned = run_words(tune + " --report " + directory.file("report.html"));
    if (tuned.status != 0) {
      CHECK(tuned.errors.find("install the package libopenblas-dev") != std::string::npos);
    } else {
      CHECK(content_of(directory.file("report.html")).find("as fast as OpenBLAS") != std::string::npos);
    }
  }

  TEST_CASE_FIXTURE(Place, "bad input is told before anything is done") {
    for (const char* const arguments : {"tune --budget soon", "tune --budget 5d", "tune --budget -3",
                                        "tune --strategy luck", "tune --type f16", "tune --shapes /nonexistent.csv",
                                        "tune --report /nonexistent/report.html", "tune --report x.html --against mkl",
                                        "regret --shapes /nonexistent.csv", "records", "records import /nonexistent"}) {
      CAPTURE(arguments);
      const auto refused = run_words(arguments);
      CHECK(refused.status != 0);
      CHECK_FALSE(refused.errors.empty());
    }
  }
}

}  // namespace tilewright::test
