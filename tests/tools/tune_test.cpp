// `tilewright tune`, `records` and `regret` as a user calls them.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "tilewright/device.hpp"
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

// Runs a command line whose words contain no spaces.
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

// The row with this value. GPUs are tuned for several problems at the same time, so rows come in any order.
template <class Value>
nlohmann::json row_of(const std::vector<nlohmann::json>& rows, const char* field, const Value& value) {
  for (const nlohmann::json& row : rows)
    if (row.contains(field) && row[field] == value) return row;
  FAIL_CHECK("no row has " << value << " in " << field);
  return {};
}

// Waits until the only journal in a directory of records has enough lines with a word. Returns their number.
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

// Runs the command in a shell after another command.
CommandResult run_in_shell(const TemporaryDirectory& place, const std::string& before, const std::string& words,
                           const std::string& redirections = "") {
  const std::string output = place.file("stdout");
  const std::string errors = place.file("stderr");
  ChildProcess shell({"/bin/sh", "-c",
                      "exec >" + output + " 2>" + errors + "; " + before + "exec '" TILEWRIGHT_COMMAND "' " + words +
                          ' ' + redirections});
  const int status = shell.wait();
  return {status, place.read("stdout"), place.read("stderr")};
}

// Waits for the child of a process whose command line contains these words.
pid_t wait_for_child(pid_t parent, const std::string& words) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
       std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream stat(entry.path() / "stat");
      std::string number, name, state;
      pid_t above = 0;
      if (!(stat >> number >> name >> state >> above) || above != parent) continue;
      std::ifstream line(entry.path() / "cmdline");
      if (std::string(std::istreambuf_iterator<char>(line), {}).find(words) != std::string::npos)
        return static_cast<pid_t>(std::stol(number));
    }
  return -1;
}

// Whether a process ends soon.
bool ends(pid_t process) {
  for (int tries = 0; tries < 1000; ++tries, std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z" || state == "X") return true;
  }
  return false;
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
    CHECK(row_of(tuned, "m", 48)["speedup"] >= 0.9);
    CHECK(row_of(tuned, "m", 24)["trans"] == "TN");
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

  TEST_CASE_FIXTURE(Place, "tuning in a child process, and the output of regret") {
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

  TEST_CASE_FIXTURE(Place, "a killed or interrupted run continues where it stopped") {
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
    // No trial ran twice, except for those that a signal interrupted: one, or one of each shape on a GPU, which is
    // tuned for both at the same time.
    const int interrupted = pick_device().profile.type == DeviceType::cpu ? 1 : 4;
    std::map<std::string, int> times;
    for (const auto& journal : std::filesystem::directory_iterator(place + "/journal")) {
      std::ifstream stream(journal.path());
      for (std::string text; std::getline(stream, text);)
        if (const auto line = nlohmann::json::parse(text, nullptr, false);
            line.is_object() && line.value("event", "") == "begin")
          ++times[line["trial"].dump()];
    }
    CHECK(std::count_if(times.begin(), times.end(), [](const auto& trial) { return trial.second > 1; }) <= interrupted);
  }

  TEST_CASE_FIXTURE(Place, "--resume continues with the interrupted shape") {
    const std::string place = directory.file("data");
    const std::string tune = "tune --variant naive,row_per_item --json --shapes " + shapes + " --budget ";
    {
      ChildProcess run({TILEWRIGHT_COMMAND, "tune", "--variant", "naive,row_per_item", "--shapes", shapes, "--budget",
                        "10m", "--json"});
      REQUIRE(wait_for_lines(place, "\"end\"", 3) >= 3);
      run.kill(SIGINT);
      CHECK(run.wait() == 1);
    }
    const auto resumed = run_words(tune + "12 --resume");
    CAPTURE(resumed.errors);
    CHECK(resumed.status == 0);
    const auto rows = lines_of(resumed.output);
    REQUIRE(rows.size() == 2);  // including the shape that has a record by now
    CHECK(row_of(rows, "m", 48)["evaluations"] >= 12);
    CHECK(run_words(tune + "12 --resume").output.empty());
  }

  TEST_CASE_FIXTURE(Place, "two signals end a run at once, even with a hanging worker") {
    ChildProcess run(
        {TILEWRIGHT_COMMAND, "tune", "--isolate", "--limit", "100", "--shapes", shapes, "--budget", "10m"});
    REQUIRE(wait_for_lines(directory.file("data"), "\"end\"", 1) >= 1);
    const pid_t worker = wait_for_child(run.id(), "tune-worker");
    REQUIRE(worker > 0);
    kill(worker, SIGSTOP);
    run.kill(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    run.kill(SIGTERM);
    CHECK(run.wait() == 128 + SIGTERM);
    CHECK(ends(worker));
  }

  TEST_CASE_FIXTURE(Place, "one run at a time, and no run if results cannot be stored") {
    const std::string place = directory.file("data");
    {
      ChildProcess run({TILEWRIGHT_COMMAND, "tune", "--shapes", shapes, "--budget", "10m", "--json"});
      REQUIRE(wait_for_lines(place, "\"end\"", 2) >= 2);
      const auto second = run_words("tune --budget 3 --shapes " + shapes);
      CHECK(second.status == 1);
      CHECK(second.errors.find("another tune is running on this device") != std::string::npos);
      CHECK(wait_for_lines(place, "\"end\"", 2) >= 2);
      run.kill(SIGKILL);
      run.wait();
    }
    const std::string tune = "tune --budget 3 --shapes " + shapes;
    const auto refused = [&](const std::string& why) {
      const auto result = run_words(tune);
      CAPTURE(result.errors);
      CHECK(result.status == 1);
      CHECK(result.output.empty());
      CHECK(result.errors.find("could not be stored") != std::string::npos);
      CHECK(result.errors.find(why) != std::string::npos);
    };
    {
      const ScopedEnvironment none("TILEWRIGHT_DATA_DIR", std::nullopt);
      const ScopedEnvironment no_xdg("XDG_DATA_HOME", std::nullopt);
      const ScopedEnvironment no_home("HOME", std::nullopt);
      refused("HOME");
    }
    const ScopedEnvironment file("TILEWRIGHT_DATA_DIR", shapes);
    refused("Not a directory");
    const ScopedEnvironment below("TILEWRIGHT_DATA_DIR", shapes + "/below");
    refused(shapes);
    const ScopedEnvironment occupied("TILEWRIGHT_DATA_DIR", directory.file("occupied"));
    REQUIRE(run_words(tune).status == 0);
    for (const auto& entry : std::filesystem::directory_iterator(directory.file("occupied")))
      if (entry.path().extension() == ".jsonl") {
        std::filesystem::remove(entry.path());
        std::filesystem::create_directory(entry.path());
      }
    refused("is a directory");
  }

  TEST_CASE_FIXTURE(Place, "a lack of system resources is reported as such") {
    const auto result = run_in_shell(directory, "ulimit -n 12; ", "tune --isolate --budget 3 --shapes " + shapes);
    CAPTURE(result.errors);
    CHECK(result.status == 1);
    for (const char* const refusal : {"no device", "clCreateContext failed"})
      if (result.errors.find(refusal) != std::string::npos) {
        MESSAGE("not tried: the driver itself needs more open files");
        return;
      }
    CHECK(result.errors.find("Too many open files") != std::string::npos);
    CHECK(result.errors.find("no configuration gave a correct result") == std::string::npos);
    // Configurations that did not run are not recorded as failures.
    CHECK(wait_for_lines(directory.file("data"), "\"end\"", 0) == 0);
    CHECK(run_words("tune --isolate --resume --budget 3 --variant naive --shapes " + shapes).status == 0);
  }

  TEST_CASE_FIXTURE(Place, "with a closed output nothing is printed into a file") {
    const auto result = run_in_shell(directory, "", "tune --variant naive --budget 2 --shapes " + shapes, ">&- <&-");
    CAPTURE(result.errors);
    CHECK(result.status == 1);
    CHECK(result.errors.find("writing the output failed") != std::string::npos);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory.file("data"))) {
      if (!entry.is_regular_file()) continue;
      CAPTURE(entry.path().string());
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);) CHECK(line.starts_with("{"));
    }
    CHECK(run_in_shell(directory, "", "devices --json", ">&- 2>&- <&-").status == 1);
  }

  TEST_CASE_FIXTURE(Place, "an application's shapes can be recorded and tuned") {
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

  TEST_CASE_FIXTURE(Place, "a product with an epilogue is tuned separately") {
    const std::string product = "--shape 20x24x28 --batch 2 --epilogue bias_column+gelu+residual";
    const auto tuned = run_words("tune --budget 2 --variant naive,row_per_item --json " + product);
    CAPTURE(tuned.errors);
    REQUIRE(tuned.status == 0);
    CHECK(lines_of(tuned.output).at(0)["epilogue"] == "bias_column+gelu+residual");
    CHECK(run_words("explain " + product).output.find("measured") != std::string::npos);
  }

  TEST_CASE_FIXTURE(Place, "a program's products are found and tuned by running it") {
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

  TEST_CASE_FIXTURE(Place, "single shapes, and an operation by name") {
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

  TEST_CASE_FIXTURE(Place, "transpositions are tuned, chosen by records, verified and compared like products") {
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

  TEST_CASE_FIXTURE(Place, "the report shows other libraries, or the missing package is named") {
    const std::string tune = "tune --variant naive --shapes " + shapes + " --budget 1 --against openblas";
    CHECK(run_words(tune).status == 2);  // there is no report for them
    const auto tuned = run_words(tune + " --report " + directory.file("report.html"));
    if (tuned.status != 0) {
      CHECK(tuned.errors.find("install the package libopenblas-dev") != std::string::npos);
    } else {
      CHECK(content_of(directory.file("report.html")).find("as fast as OpenBLAS") != std::string::npos);
    }
  }

  TEST_CASE_FIXTURE(Place, "invalid input is reported before any work") {
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
