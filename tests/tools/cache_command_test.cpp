// `tilewright cache` as a user calls it, on a cache that the command itself fills.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

using nlohmann::json;

json listed(const std::string& what) {
  const CommandResult result = run_command({"cache", what, "--json"});
  return json::parse(result.output);
}

TEST_CASE("cache shows, checks and clears the programs that other commands cached") {
  const TemporaryDirectory place;
  const std::string cache = place.file("cache");
  const ScopedEnvironment directory("TILEWRIGHT_CACHE_DIR", cache);
  const ScopedEnvironment mode("TILEWRIGHT_CACHE", "rw");
  CHECK(run_command({"cache", "path"}).output == cache + '\n');
  CHECK(json::parse(run_command({"cache", "path", "--json"}).output).at("path") == cache);
  CHECK(run_command({"cache", "list"}).output == "0 programs, 0 B\n");
  CHECK(listed("list").empty());

  const std::vector<std::string> call{"--verbose", "bench", "--shape", "5x6x7", "--runs", "1"};
  const CommandResult first = run_command(call);
  CHECK(first.status == 0);
  CHECK(first.errors.find("cache miss: ") != std::string::npos);
  CHECK(first.errors.find("cache saved: ") != std::string::npos);
  const CommandResult second = run_command(call);
  CHECK(second.status == 0);
  CHECK(second.errors.find("cache hit: ") != std::string::npos);
  CHECK(second.errors.find("cache miss: ") == std::string::npos);

  const json list = listed("list");
  REQUIRE(list.size() >= 1);
  const json& entry = list[0];
  CHECK(entry.at("whole") == true);
  CHECK(entry.at("bytes") > 100);
  CHECK_FALSE(entry.at("program").get<std::string>().empty());
  CHECK_FALSE(entry.at("device").get<std::string>().empty());
  CHECK(run_command({"cache", "list"}).output.find(entry.at("program").get<std::string>()) != std::string::npos);
  CHECK(run_command({"cache", "verify"}).status == 0);
  CHECK(listed("verify").empty());

  std::filesystem::resize_file(entry.at("path").get<std::string>(), 30);
  const CommandResult damaged = run_command({"cache", "verify"});
  CHECK(damaged.status == 1);
  CHECK(damaged.output.find(entry.at("path").get<std::string>() + ": too short") != std::string::npos);
  CHECK(listed("verify").size() == 1);
  CHECK(listed("list")[0].at("whole") == false);

  const ScopedEnvironment off("TILEWRIGHT_CACHE", "off");  // for programs, not for the commands that manage the files
  const std::string programs = list.size() == 1 ? " program" : " programs";
  CHECK(run_command({"cache", "list"}).output.find('\n' + std::to_string(list.size()) + programs + ", ") !=
        std::string::npos);
  CHECK(json::parse(run_command({"cache", "clear", "--json"}).output).at("removed") == list.size());
  CHECK(run_command({"cache", "clear"}).output.find("0 programs removed from ") == 0);
  CHECK(listed("list").empty());
}

TEST_CASE("cache reports a missing directory and missing arguments") {
  const ScopedEnvironment directory("TILEWRIGHT_CACHE_DIR", std::nullopt);
  const ScopedEnvironment xdg("XDG_CACHE_HOME", std::nullopt);
  const ScopedEnvironment home("HOME", std::nullopt);
  for (const char* const what : {"path", "list", "verify", "clear"}) {
    const CommandResult result = run_command({"cache", what});
    CHECK(result.status == 1);
    CHECK(result.errors.find("neither TILEWRIGHT_CACHE_DIR nor XDG_CACHE_HOME nor HOME") != std::string::npos);
  }
  CHECK(run_command({"cache"}).status == 2);
  CHECK(run_command({"cache", "burn"}).status == 2);
  CHECK(run_command({"cache", "path", "--help"}).status == 0);
}

TEST_CASE("a set-user-ID program ignores directories in its environment") {
  if (geteuid() != 0) return;  // only root can create such a program
  const TemporaryDirectory place;
  const std::string copy = place.file("tilewright");
  std::filesystem::copy_file(TILEWRIGHT_COMMAND, copy);
  REQUIRE(chown(copy.c_str(), 65534, 65534) == 0);
  REQUIRE(chmod(copy.c_str(), 04755) == 0);
  const ScopedEnvironment directory("TILEWRIGHT_CACHE_DIR", place.file("cache"));
  REQUIRE(ChildProcess({TILEWRIGHT_COMMAND, "cache", "path"}).wait() == 0);
  CHECK(ChildProcess({copy, "cache", "path"}).wait() == 1);
}

}  // namespace
}  // namespace tilewright::test
