// `tilewright bench` for vector operations and matrix-vector products.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"

namespace tilewright::test {
namespace {

std::vector<nlohmann::json> measured(const std::vector<std::string>& arguments) {
  const CommandResult result = run_command(arguments);
  CHECK_MESSAGE(result.status == 0, result.errors);
  std::vector<nlohmann::json> lines;
  std::istringstream stream(result.output);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  for (const auto& line : lines) {
    CHECK(line["verified"] == true);
    CHECK(line["gigabytes_per_second"].get<double>() > 0);
    CHECK(line["of_copy_speed"].get<double>() > 0);
    CHECK(line["device"].is_string());
  }
  return lines;
}

}  // namespace

TEST_CASE("bench measures vector operations and matrix-vector products") {
  const auto vectors = measured(
      {"bench", "--op", "vector", "--shape", "1000", "33", "--name", "axpy,swap,iamax", "--runs", "1", "--json"});
  REQUIRE(vectors.size() == 6);
  CHECK(vectors[1]["name"] == "swap");
  CHECK(vectors[5]["n"] == 33);
  const auto products = measured(
      {"bench", "--op", "gemv", "--shape", "40x30", "--trans", "TN", "--variant", "naive", "--runs", "1", "--json"});
  REQUIRE(products.size() == 1);
  CHECK(products[0]["m"] == 40);
  CHECK(products[0]["trans"] == "T");
  const auto updates = measured({"bench", "--op", "ger", "--shape", "40x30", "7x9", "--variant", "naive", "--type",
                                 "c64", "--runs", "1", "--json"});
  REQUIRE(updates.size() == 2);
  CHECK(updates[0]["n"] == 30);
  for (const char* const name : {"symv", "hemv", "trmv", "syr", "her", "syr2", "her2"}) {
    const auto triangles =
        measured({"bench", "--op", name, "--shape", "45", "--uplo", "upper", "--runs", "1", "--json"});
    REQUIRE(triangles.size() == 1);
    CHECK(triangles[0]["operation"] == name);
    CHECK(triangles[0]["n"] == 45);
  }
}

TEST_CASE("bench compares outer products with other libraries, in their types") {
  for (const std::string library : {"openblas", "clblast"})
    for (const std::string type : {"f32", "c64"}) {
      const CommandResult result = run_command(
          {"bench", "--op", "ger", "--shape", "40x30", "--type", type, "--runs", "1", "--json", "--against", library});
      if (result.errors.find("install the package lib" + library + "-dev") != std::string::npos) continue;
      REQUIRE_MESSAGE(result.status == 0, result.errors);
      CHECK(nlohmann::json::parse(result.output)["against"][library]["seconds"].get<double>() > 0);
    }
}

TEST_CASE("bench forces the variants and parameters of products and updates of a triangle") {
  const auto forced = [](const std::string& name, const std::string& variant, const std::string& configuration) {
    return run_command({"bench", "--op", name, "--shape", "70", "--variant", variant, "--configuration", configuration,
                        "--runs", "1", "--json"});
  };
  for (const CommandResult& result :
       {forced("symv", "tiles", "groups=2"), forced("trmv", "rows", "groups=2"), forced("syr", "rows", "groups=3")})
    CHECK_MESSAGE(result.status == 0, result.errors);
  const CommandResult unknown = forced("symv", "tile", ""), other = forced("syr2", "tiles", "groups=2");
  CHECK_MESSAGE(unknown.errors.find("did you mean tiles?") != std::string::npos, unknown.errors);
  CHECK(unknown.status == 2);
  CHECK_MESSAGE(other.errors.find("groups") != std::string::npos, other.errors);
  CHECK(other.status == 2);
}

TEST_CASE("bench refuses options that do not apply to vectors") {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& expected) {
    const CommandResult result = run_command(arguments);
    CHECK_MESSAGE(result.errors.find(expected) != std::string::npos, result.errors);
    CHECK(result.status == 2);
  };
  refused({"bench", "--op", "vector"}, "give --shape");
  refused({"bench", "--op", "vector", "--shape", "3x3"}, "is not a number of elements");
  refused({"bench", "--op", "vector", "--shape", "0"}, "is not a number of elements");
  refused({"bench", "--op", "vector", "--shape", "3", "--variant", "naive"}, "no variants");
  refused({"bench", "--op", "vector", "--shape", "3", "--trans", "TN"}, "--trans");
  refused({"bench", "--op", "vector", "--shape", "3", "--batch", "2"}, "--batch");
  refused({"bench", "--op", "gemv", "--shape", "3x3", "--trans", "NT"}, "x has no transpose");
  refused({"bench", "--op", "gemv", "--shape", "3x3", "--name", "dot"}, "--name is for --op vector alone");
  refused({"bench", "--op", "ger", "--shape", "3x3", "--trans", "TN"}, "--trans is not for --op ger");
  refused({"bench", "--op", "ger", "--shape", "3x3", "--type", "i8"}, "takes floating-point types");
  refused({"bench", "--op", "symv", "--shape", "3x3"}, "takes the order N of a matrix");
  refused({"bench", "--op", "symv", "--shape", "3", "--trans", "TN"}, "--trans is not for --op symv");
  refused({"bench", "--op", "symv", "--shape", "3", "--diag", "unit"}, "--diag");
  refused({"bench", "--shape", "3x3x3", "--name", "dot"}, "--name is for --op vector alone");
}

}  // namespace tilewright::test
