#include "tuning/journal.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "gemm/problem.hpp"
#include "tools/temporary_directory.hpp"
#include "tuning/isolated_evaluator.hpp"

namespace tilewright::tuning {
namespace {

Trial trial(std::int64_t tile) {
  return {detail::normalized({.m = 64, .n = 64, .k = 64}), "naive", {{"wg_m", tile}, {"wg_n", 4}}};
}

DeviceProfile device(const std::string& driver = "1") {
  DeviceProfile profile;
  profile.name = "a device";
  profile.driver_version = driver;
  return profile;
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_SUITE("journal") {
  TEST_CASE("a run goes on where it was, and what crashed it is known") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("below/journal.jsonl");
    {
      Journal journal(path, device(), false);
      CHECK(journal.known().empty());
      journal.begin(trial(8));
      journal.end(trial(8), {.status = Status::ok, .seconds = 0.5, .timings = 3});
      journal.begin(trial(16));
    }
    std::ofstream(path, std::ios::app) << "{\"event\":\"end\",\"tri";  // killed while it wrote
    Journal journal(path, device(), true);
    REQUIRE(journal.known().size() == 2);
    CHECK(journal.known()[0].first.configuration == trial(8).configuration);
    CHECK(journal.known()[0].first.problem == trial(8).problem);
    CHECK(journal.known()[0].second.seconds == 0.5);
    CHECK(journal.known()[0].second.timings == 3);
    CHECK(journal.known()[1].second.status == Status::crash);
    journal.begin(trial(4));
    journal.end(trial(4), {.status = Status::compile, .message = "no"});
    CHECK(Journal(path, device(), true).known().size() == 3);
  }

  TEST_CASE("a fresh run, another driver and damage begin anew") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    const auto fill = [&] {
      Journal journal(path, device(), false);
      journal.end(trial(8), {.status = Status::ok, .seconds = 0.5});
    };
    fill();
    CHECK(Journal(path, device("2"), true).known().empty());
    fill();
    CHECK(Journal(path, device(), false).known().empty());
    fill();
    const std::string whole = content_of(path);
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      std::ofstream(path, std::ios::trunc) << whole.substr(0, length);
      CHECK(Journal(path, device(), true).known().size() <= 1);
    }
  }
}

TEST_SUITE("isolated evaluator") {
  TEST_CASE("a child that ends is a crash, one that hangs a timeout, and the run goes on") {
    IsolatedEvaluator crashing({"sh", "-c", "read line; exit 1"}, 10);
    CHECK(crashing.evaluate(trial(8), 1).status == Status::crash);
    CHECK(crashing.evaluate(trial(8), 1).status == Status::crash);
    CHECK(crashing.verify(trial(8)) == "the process ended");
    IsolatedEvaluator hanging({"sleep", "100"}, 0.05);
    CHECK(hanging.evaluate(trial(8), 1).status == Status::timeout);
    IsolatedEvaluator missing({"/nonexistent/program"}, 10);
    CHECK(missing.evaluate(trial(8), 1).status == Status::crash);
  }

  TEST_CASE("an answer is read whole, nonsense is a failure") {
    IsolatedEvaluator answering({"sh", "-c",
                                 "while read line; do printf '{\"status\":\"ok\",\"seconds\":0.25,' >&3; sleep 0.02; "
                                 "echo '\"timings\":3,\"compile_seconds\":1}' >&3; done"},
                                10);
    for (int again = 0; again < 3; ++again) {
      const Evaluation evaluation = answering.evaluate(trial(8), 1);
      CHECK(evaluation.status == Status::ok);
      CHECK(evaluation.seconds == 0.25);
    }
    IsolatedEvaluator talking({"sh", "-c", "read line; echo hello >&3; read line"}, 10);
    CHECK(talking.evaluate(trial(8), 1).status == Status::runtime);
  }
}

}  // namespace tilewright::tuning
