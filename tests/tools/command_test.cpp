// The command as a user calls it: devices, ladder, bench, explain, and what it says when it is called wrongly.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "run_command.hpp"
#include "temporary_directory.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

using nlohmann::json;

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

void check_measured(const json& row) {
  CAPTURE(row.dump());
  CHECK(row.at("verified") == true);
  CHECK(row.at("error_over_bound") <= 1);
  CHECK(row.at("seconds") > 0);
  CHECK(row.at("gflops") > 0);
  CHECK(row.at("first_call_seconds") > 0);
  CHECK(row.at("against").is_object());
}

/// A first line on standard error that begins with the program's name and says what is wrong.
void check_refused(const CommandResult& result, const std::string& expected) {
  CAPTURE(result.errors);
  CHECK(result.status != 0);
  CHECK(result.output.empty());
  CHECK(result.errors.rfind("tilewright: ", 0) == 0);
  CHECK(result.errors.substr(0, result.errors.find('\n')).find(expected) != std::string::npos);
}

TEST_CASE("every subcommand explains itself with an example") {
  for (const char* const name : {"devices", "multiply", "ladder", "bench", "explain", "cache"}) {
    const CommandResult result = run_command({name, "--help"});
    CHECK(result.status == 0);
    CHECK(result.output.find(std::string("Example:\n  tilewright ") + name) != std::string::npos);
  }
  CHECK(run_command({"--help"}).status == 0);
  CHECK(run_command({"--version"}).status == 0);
}

TEST_CASE("devices lists what the library sees") {
  const std::vector<Device> devices = list_devices();
  const CommandResult table = run_command({"devices"});
  CHECK(table.status == 0);
  CHECK(table.errors.empty());
  const CommandResult result = run_command({"devices", "--json"});
  REQUIRE(result.status == 0);
  const json list = json::parse(result.output);
  REQUIRE(list.size() == devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    CHECK(table.output.find(devices[i].profile.name) != std::string::npos);
    CHECK(list[i].at("index") == devices[i].index());
    CHECK(list[i].at("name") == devices[i].profile.name);
    CHECK(list[i].at("abilities").size() == 3);
  }
}

TEST_CASE("ladder reports every variant once at least, verified or with a reason") {
  const CommandResult result = run_command({"ladder", "--shape", "33x45x29", "--trans", "TN", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  const std::vector<json> rows = json_lines(result.output);
  for (const GemmVariantInfo& variant : gemm_variants()) {
    bool found = false;
    for (const json& row : rows) {
      if (row.at("variant") != variant.name) continue;
      found = true;
      CHECK(row.at("m") == 33);
      CHECK(row.at("n") == 45);
      CHECK(row.at("k") == 29);
      CHECK(row.at("type") == "f32");
      CHECK(row.at("trans") == "TN");
      if (row.contains("note")) {
        CHECK(row.at("seconds").is_null());
        CHECK(row.at("verified") == false);
      } else {
        check_measured(row);
        CHECK_FALSE(row.at("config").get<std::string>().empty());
      }
    }
    CHECK_MESSAGE(found, variant.name);
  }
}

TEST_CASE("bench reports one line for each shape, from the command line and from a table") {
  const TemporaryDirectory directory;
  const std::string shapes = directory.write("shapes.csv", "m,n,k,trans_a,trans_b\n5,6,7,T,N\n");
  const CommandResult result =
      run_command({"bench", "--shape", "17x18x19", "--shapes", shapes, "--runs", "2", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  const std::vector<json> rows = json_lines(result.output);
  REQUIRE(rows.size() == 2);
  for (const json& row : rows) {
    check_measured(row);
    CHECK_FALSE(row.contains("note"));
    CHECK(row.at("programs_compiled") == 1);  // all kernels of a product are one program
    CHECK(row.at("compile_seconds") < row.at("first_call_seconds"));
  }
  CHECK(rows[0].at("trans") == "NN");
  CHECK(rows[1].at("m") == 5);
  CHECK(rows[1].at("trans") == "TN");
}

TEST_CASE("bench and ladder compare with other libraries, or name the package that is missing") {
  for (const std::string name : {"clblast", "openblas"}) {
    const CommandResult result =
        run_command({"bench", "--shape", "32x32x32", "--runs", "1", "--json", "--against", name});
    if (result.status != 0) {
      check_refused(result, "install the package lib" + name + "-dev");
      continue;
    }
    const json row = json::parse(result.output);
    check_measured(row);
    const json& against = row.at("against").at(name);
    const double ratio = against.at("seconds").get<double>() / row.at("seconds").get<double>();
    CHECK(against.at("ratio").get<double>() == doctest::Approx(ratio));
  }
}

TEST_CASE("explain names the choice and every variant") {
  const CommandResult result = run_command({"explain", "--shape", "100x200x300"});
  CHECK(result.status == 0);
  for (const GemmVariantInfo& variant : gemm_variants()) {
    CHECK(result.output.find(variant.name) != std::string::npos);
  }
}

TEST_CASE("double precision runs where the device has it, and is refused where not") {
  const CommandResult result = run_command({"bench", "--shape", "9x8x7", "--type", "f64", "--runs", "1", "--json"});
  if (pick_device().profile.fp64) {
    CHECK(result.status == 0);
    check_measured(json::parse(result.output));
  } else {
    check_refused(result, "double precision");
  }
}

TEST_CASE("wrong calls are refused with a message that names what is wrong") {
  check_refused(run_command({}), "a command is needed");
  check_refused(run_command({"fly"}), "fly");
  check_refused(run_command({"devices", "bench", "--shape", "1x1x1"}), "bench");
  check_refused(run_command({"ladder", "--shape", "12x"}), "MxNxK");
  check_refused(run_command({"ladder", "--size", "0"}), "--size");
  check_refused(run_command({"ladder", "--size", "8", "--type", "f16"}), "f16");
  check_refused(run_command({"ladder", "--size", "8", "--trans", "XY"}), "XY");
  check_refused(run_command({"ladder", "--size", "8", "--device", "no such device"}), "no such device");
  check_refused(run_command({"ladder", "--size", "8", "--against", "mkl"}), "mkl");
  check_refused(run_command({"bench"}), "--shape");
  check_refused(run_command({"bench", "--shapes", "no/such/file.csv"}), "no/such/file.csv");
  check_refused(run_command({"bench", "--shape", "4000000000x4000000000x4000000000", "--json"}), "GiB");
  check_refused(run_command({"explain", "--shape", "1x1x1", "--device", "99:0"}), "99:0");
}

}  // namespace
}  // namespace tilewright::test
