// `tilewright records`, and the effect of `tune --verify-only` on a file with foreign lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gemm/problem.hpp"
#include "run_command.hpp"
#include "support/environment.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/records.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The records of the command's default device, in a temporary directory.
struct RecordsDirectory {
  TemporaryDirectory directory;
  ScopedEnvironment data{"TILEWRIGHT_DATA_DIR", directory.file("data")};
  ScopedEnvironment on{"TILEWRIGHT_RECORDS", std::nullopt};
  DeviceProfile device = pick_device().profile;

  fs::path file() const { return *records_file(device); }

  Record<GemmProblem> record(std::uint64_t size) const {
    const GemmProblem problem = detail::normalized({.m = size, .n = size, .k = size});
    return {.problem = problem,
            .variant = "naive",
            .configuration = explain_gemm(device, problem, {"naive", {}}).configuration,
            .seconds = 1e-6,
            .timings = 1,
            .untuned_seconds = 2e-6,
            .driver = device.driver_version};
  }
  void store(std::uint64_t size) const {
    const Record<GemmProblem> made_up = record(size);
    store_records<GemmProblem>(device, {&made_up, 1});
  }
};

CommandResult records(std::vector<std::string> words) {
  words.insert(words.begin(), "records");
  return run_command(words);
}

}  // namespace

TEST_SUITE("records command") {
  TEST_CASE_FIXTURE(RecordsDirectory, "path, list and clear") {
    CHECK(records({"path"}).output == file().string() + '\n');
    CHECK(records({"clear"}).status == 0);
    CHECK_FALSE(fs::exists(directory.file("data")));
    const std::size_t shipped = lines_of(records({"list", "--json"}).output);
    store(64);
    store(65);
    const CommandResult list = records({"list", "--json"});
    CHECK(list.status == 0);
    CHECK(lines_of(list.output) == shipped + 2);
    CHECK(mentions(list.output, file().string()));
    CHECK(mentions(records({"list"}).output, "2 records from " + file().string()));

    const std::string before = content_of(file());
    const CommandResult cleared = records({"clear"});
    CHECK(cleared.status == 0);
    CHECK(mentions(cleared.output, "2 records removed from " + file().string()));
    CHECK(mentions(cleared.output, file().string() + ".backup"));
    CHECK(content_of(file().string() + ".backup") == before);
    CHECK(lines_of(records({"list", "--json"}).output) == shipped);

    const fs::path times = file().parent_path() / (file().stem().string() + ".times.json");
    std::ofstream(times) << "constants";
    CHECK(mentions(records({"clear"}).output, "fitted constants removed; backup in " + times.string() + ".backup"));
    CHECK_FALSE(fs::exists(times));
    CHECK(content_of(times.string() + ".backup") == "constants");

    std::ofstream(file()) << "of somebody else";
    const CommandResult refused = records({"clear"});
    CHECK(refused.status == 1);
    CHECK(mentions(refused.errors, "was left unchanged"));
    CHECK(content_of(file()) == "of somebody else");
  }

  TEST_CASE_FIXTURE(RecordsDirectory, "listed records can be exported and imported elsewhere") {
    store(64);
    store(65);
    const std::size_t listed = lines_of(records({"list", "--json"}).output);
    const std::string exported = directory.file("export.jsonl");
    REQUIRE(records({"export", exported}).status == 0);
    CHECK(lines_of(content_of(exported)) == listed + 1);
    const ScopedEnvironment elsewhere("TILEWRIGHT_DATA_DIR", directory.file("elsewhere"));
    REQUIRE(records({"import", exported}).status == 0);
    CHECK(lines_of(records({"list", "--json"}).output) == listed);
  }

  TEST_CASE_FIXTURE(RecordsDirectory, "if records are off, list shows none, and the other commands work on files") {
    const std::string exported = directory.file("export.jsonl");
    store(64);
    const fs::path times = file().parent_path() / (file().stem().string() + ".times.json");
    std::ofstream(times) << "constants";
    REQUIRE(records({"export", exported}).status == 0);
    const std::string before = content_of(exported);

    const ScopedEnvironment off("TILEWRIGHT_RECORDS", "off");
    CHECK(records({"list", "--json"}).output.empty());
    CHECK(mentions(records({"list"}).output, "TILEWRIGHT_RECORDS is off"));
    CHECK(records({"path"}).output == file().string() + '\n');
    const CommandResult again = records({"export", exported});
    CHECK_MESSAGE(again.status == 0, again.errors);
    CHECK(content_of(exported) == before);
    const CommandResult cleared = records({"clear"});
    CHECK(cleared.status == 0);
    CHECK(mentions(cleared.output, "1 record removed from " + file().string()));
    CHECK(mentions(cleared.output, "fitted constants removed; backup in " + times.string() + ".backup"));
    CHECK_FALSE(fs::exists(file()));
    CHECK_FALSE(fs::exists(times));
    REQUIRE(records({"import", exported}).status == 0);
    CHECK(read_records<GemmProblem>(file(), device).records.size() >= 1);
  }

  TEST_CASE_FIXTURE(RecordsDirectory, "records of every operation are listed, exported and imported") {
    store(64);
    const std::string record =
        R"({"operation":"transpose","element":"f32","trans":"T","m":64,"n":48,"lda":48,"ldb":64,"in_place":false,)"
        R"("offset_alignment":16,"variant":"register_block",)"
        R"("configuration":{"tile_m":64,"tile_n":64,"vector":8,"along_b":0,"stream":0},)"
        R"("seconds":1e-6,"variation":0,"timings":1,"untuned_seconds":2e-6,"driver":")" +
        device.driver_version + R"(","library":"0.1.0","date":"2026-01-01"})" + '\n';
    std::ofstream(file(), std::ios::app) << record;
    const CommandResult list = records({"list", "--json"});
    CAPTURE(list.errors);
    CHECK(list.status == 0);
    CHECK(mentions(list.output, R"("operation":"transpose")"));
    CHECK(mentions(list.output, R"("operation":"gemm")"));
    CHECK(mentions(records({"list"}).output, "GB/s"));
    const std::string exported = directory.file("export.jsonl");
    REQUIRE(records({"export", exported}).status == 0);
    CHECK(lines_of(content_of(exported)) == lines_of(list.output) + 1);
    const ScopedEnvironment elsewhere("TILEWRIGHT_DATA_DIR", directory.file("elsewhere"));
    REQUIRE(records({"import", exported}).status == 0);
    CHECK(lines_of(records({"list", "--json"}).output) == lines_of(list.output));
  }

  TEST_CASE_FIXTURE(RecordsDirectory, "a failed import or export reports its cause and changes nothing") {
    store(64);
    const std::string before = content_of(file());
    const std::string deep = directory.write("deep.jsonl", std::string(2000000, '[') + '\n');
    const std::string newer = directory.write("newer.jsonl", "{\"tilewright_records\":2}\n");
    struct Failure {
      std::vector<std::string> words;
      const char* cause;
    };
    for (const Failure& failure : {Failure{{"import", deep}, "longer"},
                                   {{"import", newer}, "version"},
                                   {{"import", directory.file("none.jsonl")}, "no file"},
                                   {{"import", directory.file("data")}, "directory"},
                                   {{"import", "/dev/null"}, "regular"},
                                   {{"export", "/nonexistent/file"}, "No such file"},
                                   {{"export", "/dev/null"}, "regular"},
                                   {{"export", directory.file("data")}, "regular"},
                                   {{"export", file().string()}, "another file"}}) {
      CAPTURE(failure.words[1]);
      const CommandResult refused = records(failure.words);
      CHECK(refused.status == 1);
      CHECK_MESSAGE(mentions(refused.errors, failure.cause), refused.errors);
    }
    CHECK(content_of(file()) == before);
    CHECK(fs::is_character_file("/dev/null"));
  }

  TEST_CASE_FIXTURE(RecordsDirectory, "explain names the records that a choice is based on, and an invalid variable") {
    store(64);
    const CommandResult explained = run_command({"explain", "--shape", "64x64x64", "--variant", "naive"});
    CHECK(mentions(explained.output, "measured"));
    CHECK(mentions(explained.output, file().string()));
    const ScopedEnvironment wrong("TILEWRIGHT_RECORDS", "bogus");
    const CommandResult result = run_command({"explain", "--shape", "64x64x64"});
    CHECK(result.status == 0);
    CHECK(mentions(result.errors, "TILEWRIGHT_RECORDS is 'bogus'"));
    CHECK(result.errors.find("bogus") == result.errors.rfind("bogus"));
  }

  TEST_CASE_FIXTURE(RecordsDirectory, "verifying changes only records that it could run, and no other line") {
    store(24);
    store(40);
    const std::string foreign = "{\"operation\":\"of a newer version\"}\n";
    std::ofstream(file(), std::ios::app) << foreign;
    const std::string before = content_of(file());
    // Nothing compiles in a millisecond; records must not be blamed.
    const CommandResult hurried = run_command({"tune", "--verify-only", "--isolate", "--limit", "0.001"});
    CHECK(hurried.status == 1);
    CHECK(mentions(hurried.output, "not verified, kept"));
    CHECK_FALSE(mentions(hurried.output, "dropped"));
    CHECK(content_of(file()) == before);

    const CommandResult verified = run_command({"tune", "--verify-only", "--no-isolate"});
    CHECK(verified.status == 1);  // a line could not be read, which is reported
    CHECK(mentions(verified.errors, "line 4"));
    CHECK(lines_of(verified.output) == 2);
    CHECK(mentions(content_of(file()), foreign));
    CHECK(lines_of(content_of(file())) == 4);
    const Records<GemmProblem> set = read_records<GemmProblem>(file(), device);
    CHECK(set.records.size() == 2);
    for (const Record<GemmProblem>& record : set.records) CHECK(record.seconds != 1e-6);
  }
}

}  // namespace tilewright::test
