#include "tuning/journal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/temporary_directory.hpp"
#include "tuning/operations/gemm_tunable.hpp"

namespace tilewright::tuning {
namespace {

Trial trial(std::int64_t tile) {
  return {tunable({.m = 64, .n = 64, .k = 64}), {"naive", {{"wg_m", tile}, {"wg_n", 4}}}};
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
  TEST_CASE("a run continues where it stopped, and a trial that ended it twice is known as a crash") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("below/journal.jsonl");
    {
      Journal journal(path, device(), false);
      CHECK(journal.known().empty());
      journal.begin(trial(8));
      journal.end(trial(8), {.status = Status::ok, .seconds = 0.5, .timings = 3});
      journal.begin(trial(16));
    }
    std::ofstream(path, std::ios::app) << "{\"event\":\"end\",\"tri";  // killed while writing
    {
      Journal journal(path, device(), true);
      REQUIRE(journal.known().size() == 1);
      CHECK(journal.known()[0].first.choice.configuration == trial(8).choice.configuration);
      CHECK(journal.known()[0].first.problem == trial(8).problem);
      CHECK(journal.known()[0].second.seconds == 0.5);
      CHECK(journal.known()[0].second.timings == 3);
      REQUIRE(journal.interrupted().size() == 1);  // once may be by chance
      CHECK(journal.interrupted()[0].choice.configuration == trial(16).choice.configuration);
      journal.begin(trial(16));
      journal.begin(trial(4));
      journal.end(trial(4), {.status = Status::compile, .message = "no"});
      journal.begin(trial(2));
      journal.cut(trial(2));
    }
    const Journal journal(path, device(), true);
    CHECK(journal.known().size() == 3);
    CHECK(journal.interrupted().empty());
    const auto crashed = std::find_if(journal.known().begin(), journal.known().end(),
                                      [](const auto& entry) { return entry.second.status == Status::crash; });
    REQUIRE(crashed != journal.known().end());
    CHECK(crashed->first.choice.configuration == trial(16).choice.configuration);
  }

  TEST_CASE("finished problems are known") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    const Problem other = tunable({.m = 3, .n = 4, .k = 5});
    {
      Journal journal(path, device(), false);
      journal.end(trial(8), {.status = Status::ok, .seconds = 0.5, .timings = 3});
    }
    CHECK(Journal(path, device(), true).is_unfinished(trial(8).problem));
    {
      Journal journal(path, device(), true);
      CHECK_FALSE(journal.is_unfinished(other));
      journal.done(trial(8).problem);
    }
    CHECK_FALSE(Journal(path, device(), true).is_unfinished(trial(8).problem));
  }

  TEST_CASE("a fresh run, another driver or a damaged heading starts over") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    const auto fill = [&] {
      Journal journal(path, device(), false);
      journal.end(trial(8), {.status = Status::ok, .seconds = 0.5, .timings = 1});
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
    CHECK(place.files() == 1);
  }

  TEST_CASE("a second writer is refused, and nothing is lost") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    Journal first(path, device(), false);
    first.begin(trial(8));
    const std::string before = content_of(path);
    CHECK_THROWS_AS(Journal(path, device(), false), JournalInUse);
    CHECK_THROWS_AS(Journal(path, device(), true), JournalInUse);
    CHECK(content_of(path) == before);
  }

  TEST_CASE("a foreign file is set aside") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    std::string ending = ".broken";
    for (const char* const foreign : {"m,n,k\n1,2,3\n", "{\"tilewright_journal\":2,\"device\":\"x\"}\n"}) {
      std::ofstream(path) << foreign;
      CHECK(Journal::is_foreign(path));
      CHECK(Journal(path, device(), true).known().empty());
      CHECK_FALSE(Journal::is_foreign(path));
      CHECK(content_of(path + ending) == foreign);
      ending = ".broken-2";  // files set aside earlier are kept
    }
    CHECK_FALSE(Journal::is_foreign(place.file("none")));
    std::filesystem::create_directory(place.file("directory"));
    CHECK_THROWS_AS(Journal(place.file("directory"), device(), true), std::runtime_error);
  }

  TEST_CASE("messages of any bytes and length are recorded") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    {
      Journal journal(path, device("driver \xe9"), false);
      journal.end(trial(8), {.status = Status::compile,
                             .message = "Stra\xdf"
                                        "enname unbekannt"});
      journal.end(trial(4), {.status = Status::compile, .message = std::string(1U << 20U, '\xff')});
    }
    const Journal journal(path, device("driver \xe9"), true);
    REQUIRE(journal.known().size() == 2);
    CHECK(journal.known()[0].second.message.find("enname unbekannt") != std::string::npos);
  }

  TEST_CASE("hostile lines are skipped") {
    const test::TemporaryDirectory place;
    const std::string path = place.file("journal.jsonl");
    {
      Journal journal(path, device(), false);
      journal.end(trial(8), {.status = Status::ok, .seconds = 0.5, .timings = 3});
    }
    std::string good;
    std::ifstream stream(path);
    std::getline(stream, good);
    std::getline(stream, good);
    const auto replaced = [&](const std::string& from, const std::string& to) {
      std::string line = good;
      line.replace(line.find(from), from.size(), to);
      return line + '\n';
    };
    std::ofstream file(path, std::ios::app);
    file << std::string(1U << 20U, '[') << '\n' << std::string(1000, '{') << '\n' << "[]\n17\n{\"event\":[]}\n";
    file << replaced("0.5", "1e308") << replaced("0.5", "-1") << replaced("0.5", "0") << replaced("0.5", "null");
    file << replaced("\"timings\":3", "\"timings\":-1") << replaced("\"timings\":3", "\"timings\":1e30");
    file << replaced("\"ok\"", "\"fine\"") << replaced("\"m\":64", "\"m\":0") << replaced("naive", "nothing");
    file.close();
    CHECK(Journal(path, device(), true).known().size() == 1);
  }
}

}  // namespace tilewright::tuning
