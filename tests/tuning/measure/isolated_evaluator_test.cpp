#include "tuning/measure/isolated_evaluator.hpp"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "tools/temporary_directory.hpp"
#include "tuning/operations/gemm_tunable.hpp"

namespace tilewright::tuning {
namespace {

using verification::WorkerProcess;
using verification::write_line;

Trial trial(std::int64_t tile) {
  return {tunable({.m = 64, .n = 64, .k = 64}), {"naive", {{"wg_m", tile}, {"wg_n", 4}}}};
}

// The command of a worker that reports to be ready and then runs shell commands.
std::vector<std::string> ready_then(const std::string& words) {
  return {"sh", "-c", "echo '{\"ready\":true}' >&3; " + words};
}

const std::string answer = "echo '{\"status\":\"ok\",\"seconds\":0.25,\"timings\":3,\"compile_seconds\":1}' >&3; ";

}  // namespace

TEST_SUITE("isolated evaluator") {
  TEST_CASE("an exiting child counts as a crash, a hanging child as a timeout, and the run continues") {
    IsolatedEvaluator crashing(ready_then("read line; exit 1"), 10);
    CHECK(crashing.evaluate(trial(8), 1).status == Status::crash);
    CHECK(crashing.evaluate(trial(8), 1).message == "the process ended: exit status 1");
    CHECK(crashing.verify(trial(8)).message == "the process ended: exit status 1");
    IsolatedEvaluator hanging(ready_then("sleep 100"), 0.05);
    CHECK(hanging.evaluate(trial(8), 1).status == Status::timeout);
    IsolatedEvaluator endless(ready_then("read line; while :; do printf '%0100000d' 0 >&3; done"), 100);
    CHECK(endless.evaluate(trial(8), 1).status == Status::crash);
  }

  TEST_CASE("a child that cannot start is a system failure") {
    IsolatedEvaluator missing({"/nonexistent/program"}, 10);
    CHECK_THROWS_AS(missing.evaluate(trial(8), 1), SystemError);
    CHECK_THROWS_AS(missing.verify(trial(8)), SystemError);
    IsolatedEvaluator refusing({"sh", "-c", "echo '{\"failed\":\"no device\"}' >&3; exit 1"}, 10);
    CHECK_THROWS_WITH_AS(refusing.evaluate(trial(8), 1),
                         "cannot start the process that tries configurations: no device", SystemError);
    IsolatedEvaluator lacking(ready_then("read line; echo '{\"system\":\"no memory\"}' >&3; read line"), 10);
    CHECK_THROWS_WITH_AS(lacking.evaluate(trial(8), 1), "no memory", SystemError);
  }

  TEST_CASE("a trial that exceeds the deadline gets no result") {
    const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::milliseconds(100); };
    IsolatedEvaluator hanging(ready_then("sleep 100"), 100);
    CHECK_THROWS_AS(hanging.evaluate(trial(8), 1, soon()), OutOfTime);
    CHECK_THROWS_AS(hanging.verify(trial(8), soon()), OutOfTime);
    IsolatedEvaluator starting({"sleep", "100"}, 100);
    CHECK_THROWS_AS(starting.evaluate(trial(8), 1, soon()), OutOfTime);
  }

  TEST_CASE("a child killed from outside gets a second chance") {
    const test::TemporaryDirectory place;
    const std::string mark = place.file("mark");
    IsolatedEvaluator once(ready_then("read line; test -e " + mark + " || { touch " + mark + "; kill -KILL $$; }; " +
                                      answer + "read line"),
                           10);
    CHECK(once.evaluate(trial(8), 1).status == Status::ok);
    IsolatedEvaluator always(ready_then("read line; kill -KILL $$"), 10);
    CHECK(always.verify(trial(8)).status == Status::crash);
  }

  TEST_CASE("a split answer is read completely, and an invalid answer is a failure") {
    IsolatedEvaluator answering(
        ready_then("while read line; do printf '{\"status\":\"ok\",\"seconds\":0.25,' >&3; sleep 0.02; "
                   "echo '\"timings\":3,\"compile_seconds\":1}' >&3; done"),
        10);
    for (int again = 0; again < 3; ++again) {
      const Evaluation evaluation = answering.evaluate(trial(8), 1);
      CHECK(evaluation.status == Status::ok);
      CHECK(evaluation.seconds == 0.25);
    }
    IsolatedEvaluator talking(ready_then("read line; echo hello >&3; read line"), 10);
    CHECK(talking.evaluate(trial(8), 1).status == Status::runtime);
  }

  TEST_CASE("a signal does not cancel the time limit") {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, &before);
    IsolatedEvaluator hanging(ready_then("sleep 100"), 0.5);
    std::atomic<bool> over = false;
    const pthread_t waiting = pthread_self();
    std::thread interrupting([&] {
      while (!over) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pthread_kill(waiting, SIGUSR1);
      }
    });
    CHECK(hanging.evaluate(trial(8), 1).status == Status::timeout);
    over = true;
    interrupting.join();
    sigaction(SIGUSR1, &before, nullptr);
  }

  TEST_CASE("the child and its processes end with the parent, however the parent ends") {
    std::array<int, 2> found{};
    REQUIRE(pipe(found.data()) == 0);
    const pid_t parent = fork();
    if (parent == 0) {
      try {
        // The child is stopped, and the process that it started sleeps.
        WorkerProcess worker({"sh", "-c", "sleep 100 & echo $$ $! >&3; kill -STOP $$; sleep 100"});
        std::string line;
        worker.receive(line, no_deadline);
        write_line(found[1], line);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        raise(SIGKILL);
      } catch (...) {
        _exit(1);
      }
    }
    waitpid(parent, nullptr, 0);
    std::array<char, 100> text{};
    REQUIRE(read(found[0], text.data(), text.size() - 1) > 0);
    close(found[0]);
    close(found[1]);
    std::istringstream words(text.data());
    int count = 0;
    for (pid_t process = 0; words >> process; ++count) {
      // Whether the process is there; zombies do not count.
      const auto is_there = [&] {
        std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
        std::string number, name, state;
        return static_cast<bool>(stat >> number >> name >> state) && state != "Z" && state != "X";
      };
      for (int tries = 0; tries < 1000 && is_there(); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      CHECK_FALSE(is_there());
    }
    CHECK(count == 2);
  }
}

}  // namespace tilewright::tuning
