// `multiply --resume` after kills at random moments: the result has the bits of an uninterrupted run.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "files/npy.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "runtime/system/icd_environment.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "support/test_level.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

using Clock = std::chrono::steady_clock;

/// How one process of a resumed product ended.
enum class Ending { killed, finished };

/// A product of dozens of tiles of random numbers, with beta != 0.
class KilledProduct {
 public:
  explicit KilledProduct(std::uint64_t seed) : random_(seed) {
    m_ = between(20, 60);
    n_ = between(1000, 1600);
    k_ = between(600, 1200);
    const std::uint64_t type = between(0, 1);
    type == 0 ? write_inputs<float>() : write_inputs<double>();
    INFO("m ", m_, " n ", n_, " k ", k_, " type ", type);
    memory_ = min_memory();
    const Clock::time_point start = Clock::now();
    uninterrupted_ = product("whole.npy");
    duration_ = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    directory_.write("c.npy", "what was there");
    directory_.write("c.npy.journal", "of somebody else");
  }

  /// Kills at most `max_kills` processes, then lets one finish. Starts over if the first one finished before its kill.
  /// Returns the number of kills.
  std::size_t run(std::size_t max_kills) {
    constexpr int attempts = 20;
    std::size_t kills = 0;
    for (int attempt = 0; kills == 0 && attempt < attempts; ++attempt) {
      directory_.write("c.npy", "what was there");
      while (kills < max_kills && run_once(true) == Ending::killed) ++kills;
    }
    if (kills == max_kills) REQUIRE(run_once(false) == Ending::finished);
    return kills;
  }

  void check_result() const {
    const bool is_equal = directory_.read("c.npy") == directory_.read("whole.npy");
    CHECK(is_equal);
    CHECK(directory_.read("c.npy.journal") == "of somebody else");
    CHECK_FALSE(std::filesystem::exists(directory_.file("c.npy.partial")));
    CHECK_FALSE(std::filesystem::exists(journal()));
  }

  std::uint64_t tiles() const { return uninterrupted_["tiles"].get<std::uint64_t>(); }

 private:
  template <class T>
  void write_inputs() {
    const auto write = [&](const char* name, std::uint64_t rows, std::uint64_t columns) {
      std::uniform_real_distribution<T> number(-1, 1);
      std::vector<T> elements(rows * columns);
      std::generate(elements.begin(), elements.end(), [&] { return number(random_); });
      directory_.write(name,
                       tool::format_npy_header({detail::HostType<T>::type, false, rows, columns}) + raw(elements));
    };
    write("a.npy", m_, k_);
    write("b.npy", k_, n_);
    write("c0.npy", m_, n_);
  }

  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random_);
  }

  std::string journal() const { return directory_.file("c.npy.journal-2"); }

  std::size_t journal_lines() const {
    const std::string text = directory_.read("c.npy.journal-2");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  std::vector<std::string> arguments(const char* output) const {
    // A slow variant, so that kills come between tiles; a small memory limit gives many tiles.
    return {"multiply",
            directory_.file("a.npy"),
            directory_.file("b.npy"),
            "-o",
            directory_.file(output),
            "--alpha",
            "1.25",
            "--beta",
            "-0.75",
            "--c-in",
            directory_.file("c0.npy"),
            "--memory",
            memory_,
            "--variant",
            "naive",
            "--resume",
            "--json"};
  }

  /// The minimum that the message of a refusal names; one byte if the device uses the matrices in place.
  std::string min_memory() const {
    const CommandResult result = run_command(arguments("least.npy"));
    if (result.status == 0) return memory_;
    const std::string before = "needs at least ";
    const auto at = result.errors.find(before);
    CAPTURE(result.errors);
    REQUIRE(at != std::string::npos);
    return std::to_string(std::stoull(result.errors.substr(at + before.size())));
  }

  nlohmann::json product(const char* output) const {
    const CommandResult result = run_command(arguments(output));
    CAPTURE(result.errors);
    REQUIRE(result.status == 0);
    return nlohmann::json::parse(result.output);
  }

  /// Runs the command, and kills it after a few more tiles or after a delay.
  Ending run_once(bool kills) {
    const std::string before = directory_.read("c.npy");
    const std::size_t lines = journal_lines() + between(1, 5);
    const bool by_time = between(0, 2) == 0;
    const Clock::time_point end =
        Clock::now() + std::chrono::microseconds(between(0, static_cast<std::uint64_t>(duration_.count())));
    const pid_t child = start();
    int status = 0;
    for (bool is_sent = !kills; waitpid(child, &status, WNOHANG) == 0;) {
      if (!is_sent && (by_time ? Clock::now() >= end : journal_lines() >= lines)) is_sent = kill(child, SIGKILL) == 0;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    const std::string errors = directory_.read("errors");
    CAPTURE(errors);
    CHECK(directory_.read("c.npy.journal") == "of somebody else");
    if (WIFSIGNALED(status)) {
      REQUIRE(WTERMSIG(status) == SIGKILL);
      const std::string now = directory_.read("c.npy");  // a kill may come after the work has finished
      const bool is_finished = now != before;
      const bool is_equal = !is_finished || now == directory_.read("whole.npy");
      CHECK(is_equal);
      return is_finished && !std::filesystem::exists(journal()) ? Ending::finished : Ending::killed;
    }
    REQUIRE(WEXITSTATUS(status) == 0);
    return Ending::finished;
  }

  pid_t start() const {
    detail::restore_icd_environment();
    const std::string errors = directory_.file("errors");
    std::vector<std::string> words = arguments("c.npy");
    words.insert(words.begin(), TILEWRIGHT_COMMAND);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    const int null = open("/dev/null", O_WRONLY), file = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(null, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(pointers.front(), pointers.data());
    _exit(126);
  }

  std::mt19937_64 random_;
  TemporaryDirectory directory_, kept_;
  // The device is measured once, so that all runs have one schedule, and kernels are compiled once.
  ScopedEnvironment records_{"TILEWRIGHT_RECORDS", std::nullopt};
  ScopedEnvironment data_directory_{"TILEWRIGHT_DATA_DIR", kept_.file("data")};
  ScopedEnvironment cache_{"TILEWRIGHT_CACHE", std::nullopt};
  ScopedEnvironment cache_directory_{"TILEWRIGHT_CACHE_DIR", kept_.file("cache")};
  std::uint64_t m_ = 0, n_ = 0, k_ = 0;
  std::string memory_ = "1";
  nlohmann::json uninterrupted_;
  std::chrono::microseconds duration_{};  // of the uninterrupted run
};

std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const std::string text = environment(name);
  return text.empty() ? otherwise : std::stoull(text);
}

TEST_CASE("multiply --resume: dozens of tiles, killed at random moments, equal an uninterrupted run in every bit") {
  const auto level = test_level();
  const std::size_t kills = level == TestLevel::full ? 30 : level == TestLevel::normal ? 8 : 5;
  const std::uint64_t seed = number_in_environment("TILEWRIGHT_RESUME_SEED", 1);
  const std::chrono::seconds limit(number_in_environment("TILEWRIGHT_RESUME_SECONDS", 0));
  const Clock::time_point start = Clock::now();
  std::uint64_t round = 0;
  do {
    CAPTURE(seed + round);  // TILEWRIGHT_RESUME_SEED
    KilledProduct product(seed + round);
    CHECK(product.tiles() >= 24);
    CHECK(product.run(kills) >= 1);
    product.check_result();
    ++round;
  } while (Clock::now() - start < limit);
}

}  // namespace
}  // namespace tilewright::test
