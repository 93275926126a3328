// `tilewright tune` when it is interrupted, killed or lacks resources.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "tilewright/device.hpp"
#include "tools/temporary_directory.hpp"
#include "tune_place.hpp"

namespace tilewright::test {
namespace {

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

}  // namespace

TEST_SUITE("tune interruption") {
  TEST_CASE_FIXTURE(TunePlace, "a killed or interrupted run continues where it stopped") {
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

  TEST_CASE_FIXTURE(TunePlace, "--resume continues with the interrupted shape") {
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

  TEST_CASE_FIXTURE(TunePlace, "two signals end a run at once, even with a hanging worker") {
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

  TEST_CASE_FIXTURE(TunePlace, "one run at a time, and no run if results cannot be stored") {
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

  TEST_CASE_FIXTURE(TunePlace, "a lack of system resources is reported as such") {
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

  TEST_CASE_FIXTURE(TunePlace, "with a closed output nothing is printed into a file") {
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
}

}  // namespace tilewright::test
