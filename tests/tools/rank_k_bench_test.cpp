// `tilewright bench` for rank-k updates.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {
namespace {

// Measures an update in every way that the function has, and returns the rows.
std::vector<nlohmann::json> rank_k_rows(const std::string& function, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"bench", "--op", function, "--shape", "30x20", "--runs", "1", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CommandResult result = run_command(arguments);
  CHECK_MESSAGE(result.status == 0, result.errors);
  std::vector<nlohmann::json> rows;
  std::istringstream stream(result.output);
  for (std::string line; std::getline(stream, line);) rows.push_back(nlohmann::json::parse(line));
  for (const auto& row : rows) {
    CHECK(row["operation"] == function);
    CHECK(row["verified"] == true);
    CHECK(row["gflops"].get<double>() > 0);
    CHECK(row["device"].is_string());
  }
  return rows;
}

}  // namespace

TEST_CASE("bench measures rank-k updates") {
  for (const std::string function : {"syrk", "herk", "syr2k", "her2k", "gemmt"})
    for (const std::string type : {"f32", "c64"})
      for (const std::string trans : {"NN", "TN", "CN"}) {
        const auto rows = rank_k_rows(function, {"--type", type, "--trans", trans, "--variant", "naive"});
        REQUIRE(rows.size() == 1);
        CHECK(rows[0]["n"] == 30);
        CHECK(rows[0]["k"] == 20);
      }
  if (pick_device().profile.fp64) rank_k_rows("gemmt", {"--type", "c128", "--trans", "CT", "--variant", "naive"});
}

// A build may lack the libraries. CLBlast's Hermitian kernels are slow to compile.
TEST_CASE("bench compares rank-k updates with other libraries") {
  for (const std::string function : {"syrk", "herk", "syr2k", "her2k", "gemmt"})
    for (const std::string type : {"f32", "c64"}) {
      const CommandResult result =
          run_command({"bench", "--op", function, "--shape", "30x20", "--type", type, "--trans", "TN", "--variant",
                       "naive", "--runs", "1", "--against", "openblas"});
      if (result.errors.find("this build cannot compare") != std::string::npos) return;
      CHECK_MESSAGE(result.status == 0, result.errors);
      CHECK(result.output.find("yes") != std::string::npos);
    }
}

TEST_CASE("bench refuses options that do not apply to rank-k updates") {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& expected) {
    const CommandResult result = run_command(arguments);
    CHECK_MESSAGE(result.errors.find(expected) != std::string::npos, result.errors);
    CHECK(result.status == 2);
  };
  refused({"bench", "--op", "syrk"}, "give --shape");
  refused({"bench", "--op", "syrk", "--shape", "3x3", "--trans", "NT"}, "--op syrk has one transpose");
  refused({"bench", "--op", "gemmt", "--shape", "3x3", "--type", "f16"}, "takes f32, f64, c64 and c128");
  refused({"bench", "--op", "herk", "--shape", "3x3", "--batch", "2"}, "--batch");
  refused({"bench", "--op", "her2k", "--shape", "3x3", "--name", "dot"}, "--name is for --op vector alone");
}

}  // namespace tilewright::test
