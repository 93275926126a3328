// The command as a user calls it: devices, ladder, bench, explain, and the errors of wrong calls.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "temporary_directory.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/strassen.hpp"

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
  CHECK(row.at("configuration").is_string());
  CHECK(row.at("device") == pick_device().profile.name);
  CHECK(row.at("driver") == pick_device().profile.driver_version);
}

/// Checks that the first line on standard error starts with the program's name and states the error. The status is 2 if
/// the command line is wrong, otherwise 1.
void check_refused(const CommandResult& result, const std::string& expected, int status = 2) {
  CAPTURE(result.errors);
  CHECK(result.status == status);
  CHECK(result.output.empty());
  CHECK(result.errors.rfind("tilewright: ", 0) == 0);
  CHECK(result.errors.substr(0, result.errors.find('\n')).find(expected) != std::string::npos);
}

TEST_CASE("every subcommand has a help text with an example") {
  for (const char* const name : {"devices", "multiply", "transpose", "ladder", "bench", "explain", "cache", "help"}) {
    const CommandResult result = run_command({name, "--help"});
    CHECK(result.status == 0);
    CHECK(result.output.find(std::string("Example:\n  tilewright ") + name) != std::string::npos);
  }
  const CommandResult help = run_command({"--help"});
  CHECK(help.status == 0);
  CHECK(help.output.find("Exit status") != std::string::npos);
  CHECK(run_command({"help"}).output == help.output);
  CHECK(run_command({"help", "bench"}).output == run_command({"bench", "--help"}).output);
  CHECK(run_command({"help", "cache", "list"}).output == run_command({"cache", "list", "--help"}).output);
  CHECK(run_command({"--version"}).status == 0);
}

TEST_CASE("devices lists the devices of the library") {
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
    CHECK(list[i].at("abilities").size() == 6);
    CHECK(list[i].at("device") == devices[i].profile.name);
    CHECK(list[i].at("driver") == devices[i].profile.driver_version);
    CHECK(list[i].at("default") == (devices[i].index() == pick_device().index()));
  }
  CHECK(table.output.find("\n* " + pick_device().index()) != std::string::npos);
  const CommandResult details = run_command({"devices", "--verbose"});
  CHECK(details.status == 0);
  for (const char* const name : {"driver_version", "max_work_group_size", "extensions", "inline_ptx"})
    CHECK(details.output.find(std::string("\n") + name) != std::string::npos);
}

TEST_CASE("ladder reports every variant at least once, verified or with a reason") {
  const CommandResult result = run_command({"ladder", "--shape", "33x45x29", "--trans", "TN", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  const std::vector<json> rows = json_lines(result.output);
  for (const VariantInfo& variant : gemm_variants()) {
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
        CHECK_FALSE(row.at("configuration").get<std::string>().empty());
      }
    }
    CHECK_MESSAGE(found, variant.name);
  }
  CHECK(std::count_if(rows.begin(), rows.end(), [](const json& row) { return row.at("fastest") == true; }) == 1);
}

TEST_CASE("bench reports one line per shape, from the command line and from a table") {
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
    CHECK(row.at("programs_compiled") == 1);  // all kernels of a product are in one program
    CHECK(row.at("compile_seconds") < row.at("first_call_seconds"));
  }
  CHECK(rows[0].at("trans") == "NN");
  CHECK(rows[1].at("m") == 5);
  CHECK(rows[1].at("trans") == "TN");
}

TEST_CASE("ladder --variant runs only these variants") {
  const CommandResult result = run_command({"ladder", "--shape", "9x8x7", "--variant", "local_tile,naive", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  std::set<std::string> variants;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) variants.insert(nlohmann::json::parse(line)["variant"]);
  CHECK(variants == std::set<std::string>{"naive", "local_tile"});
  const CommandResult one = run_command({"ladder", "--shape", "9x8x7", "--variant", "local_tile"});
  CHECK(one.status == 0);  // naive is not there for comparison
  CHECK(run_command({"ladder", "--variant", "naiv"}).errors.find("did you mean naive?") != std::string::npos);
  CHECK(run_command({"bench", "--shape", "9x8x7", "--variant", "local_tile,naive"})
            .errors.find("`tilewright ladder` compares variants") != std::string::npos);
}

TEST_CASE("bench and ladder compare with other libraries, or name the missing package") {
  for (const std::string name : {"clblast", "openblas"}) {
    const CommandResult result =
        run_command({"bench", "--shape", "32x32x32", "--runs", "1", "--json", "--against", name});
    if (result.status != 0) {
      check_refused(result, "install the package lib" + name + "-dev", 1);
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
  for (const VariantInfo& variant : gemm_variants()) {
    CHECK(result.output.find(variant.name) != std::string::npos);
  }
  const CommandResult object = run_command({"explain", "--shape", "100x200x300", "--json"});
  REQUIRE(object.status == 0);
  const json line = json::parse(object.output);
  CHECK(result.output.find("\n* " + line.at("variant").get<std::string>()) != std::string::npos);
  CHECK(line.at("n") == 200);
  CHECK(line.at("configuration").is_string());
  CHECK(line.at("reason").is_string());
  CHECK(line.at("candidates").size() == gemm_variants().size());
  CHECK(line.at("driver") == pick_device().profile.driver_version);
}

TEST_CASE("Strassen's algorithm is explained and measured, and --levels is refused without it") {
  const CommandResult explained =
      run_command({"explain", "--algorithm", "strassen", "--levels", "2", "--shape", "64x64x64", "--json"});
  REQUIRE(explained.status == 0);
  const json line = json::parse(explained.output);
  CHECK(line.at("levels") == 2);
  CHECK(line.at("candidates").size() == max_strassen_levels + 1);
  CHECK(line.at("products").size() == 1);
  CHECK(run_command({"explain", "--algorithm", "strassen", "--shape", "64x64x64"}).status == 0);
  const CommandResult measured = run_command({"bench", "--algorithm", "strassen", "--levels", "1", "--shape",
                                              "65x64x63", "--runs", "1", "--variant", "naive", "--json"});
  REQUIRE(measured.status == 0);
  const json row = json::parse(measured.output);
  CHECK(row.at("verified") == true);
  CHECK(row.at("configuration") == "levels=1");
  CHECK(row.at("against").contains("gemm"));
  check_refused(run_command({"bench", "--levels", "1", "--shape", "8x8x8"}),
                "--levels works only with --algorithm strassen", 2);
  check_refused(run_command({"explain", "--op", "transpose", "--algorithm", "strassen", "--shape", "8x8"}),
                "works only with --op gemm", 2);
}

TEST_CASE("products are divided between devices") {
  const CommandResult measured =
      run_command({"bench", "--devices", "all", "--shape", "40x30x20", "--runs", "1", "--json"});
  REQUIRE(measured.status == 0);
  const json row = json::parse(measured.output);
  CHECK(row.at("verified") == true);
  CHECK(row.at("variant") == "group");
  CHECK(row.at("against").contains("first device"));
  check_refused(run_command({"bench", "--copy-threads", "2", "--shape", "8x8x8"}), "are for --devices");
  check_refused(run_command({"bench", "--devices", "all", "--variant", "naive", "--shape", "8x8x8"}),
                "each tile's variant");
  check_refused(run_command({"bench", "--devices", "0:0/1", "--shape", "8x8x8"}), "in 2 parts or more");
}

TEST_CASE("with --json every error is a JSON object on standard error") {
  const auto error_of = [](const std::vector<std::string>& words) {
    const CommandResult result = run_command(words);
    CHECK(result.output.empty());
    const json error = json::parse(result.errors);
    CHECK(error.at("status") == result.status);
    CHECK(error.at("error").is_string());
    return error;
  };
  CHECK(error_of({"ladder", "--shape", "4000000000x4000000000x4000000000", "--json"}).at("code") == "out_of_memory");
  CHECK(error_of({"ladder", "--json", "--size", "0"}).at("status") == 2);
  CHECK(error_of({"explain", "--json", "--shape", "1x1x1", "--device", "99:0"}).at("code") == "no_device");
  CHECK(error_of({"devices", "--json", "\xff\xfe"}).at("status") == 2);  // the object is valid UTF-8
}

TEST_CASE("double precision runs on devices that support it, and is refused on others") {
  const CommandResult result = run_command({"bench", "--shape", "9x8x7", "--type", "f64", "--runs", "1", "--json"});
  if (pick_device().profile.fp64) {
    CHECK(result.status == 0);
    check_measured(json::parse(result.output));
  } else {
    check_refused(result, "double precision");
  }
}

TEST_CASE("half precision and bfloat16 run on every device in every command that accepts a type") {
  for (const std::string type : {"f16", "bf16"}) {
    CAPTURE(type);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"bench", "--shape", "9x8x7", "--runs", "1"},
          {"ladder", "--shape", "19x18x17", "--variant", "naive,row_per_item,local_tile"}}) {
      std::vector<std::string> call = words;
      call.insert(call.end(), {"--type", type, "--json"});
      const CommandResult result = run_command(call);
      CHECK_MESSAGE(result.status == 0, result.errors);
      std::size_t verified = 0;
      for (const json& line : json_lines(result.output)) {
        CHECK(line.at("type") == type);
        if (!line.contains("note")) CHECK(line.at("verified") == true);
        verified += line.at("verified") == true ? 1U : 0U;
      }
      CHECK(verified >= (words.front() == "bench" ? 1 : 3));
    }
    const CommandResult explained = run_command({"explain", "--shape", "64x64x64", "--type", type, "--json"});
    CHECK(json::parse(explained.output).at("type") == type);
    const CommandResult mixed = run_command(
        {"bench", "--shape", "9x8x7", "--runs", "1", "--type", type, "--c-type", "f32", "--batch", "3", "--json"});
    CHECK_MESSAGE(mixed.status == 0, mixed.errors);
    CHECK(json::parse(mixed.output).at("type_c") == "f32");
    CHECK(json::parse(mixed.output).at("verified") == true);
    const CommandResult ladder =
        run_command({"ladder", "--shape", "9x8x7", "--variant", "naive", "--type", type, "--c-type", "f32"});
    CHECK(ladder.status == 0);
    CHECK(run_command({"explain", "--shape", "9x8x7", "--type", type, "--c-type", "f64"}).status == 1);
  }
}

TEST_CASE("commands accept an accuracy for f32 products, and refuse it for other types") {
  for (const char* const accuracy : {"full", "fp32_split", "tf32"}) {
    const CommandResult result =
        run_command({"bench", "--shape", "9x8x7", "--runs", "1", "--accuracy", accuracy, "--json"});
    CHECK_MESSAGE(result.status == 0, result.errors);
    const json line = json::parse(result.output);
    CHECK(line.at("verified") == true);
    CHECK(line.value("accuracy", "full") == accuracy);
  }
  CHECK(run_command({"explain", "--shape", "9x8x7", "--accuracy", "tf32", "--type", "f64"}).status == 1);
  CHECK(run_command({"bench", "--shape", "9x8x7", "--accuracy", "fair"}).status == 2);
  CHECK(run_command({"bench", "--op", "transpose", "--shape", "9x8", "--accuracy", "tf32"}).status == 2);
}

TEST_CASE("a library without a type is refused before any measurement") {
  for (const char* const library : {"clblast", "openblas"}) {
    const CommandResult known = run_command({"bench", "--shape", "8x8x8", "--runs", "1", "--against", library});
    if (known.status != 0) continue;  // not part of this build
    for (const char* const command : {"bench", "ladder"}) {
      for (const std::string type : {"f16", "bf16"}) {
        const CommandResult result = run_command({command, "--shape", "8x8x8", "--type", type, "--against", library});
        check_refused(result,
                      "no product of " + type + " matrices that could be compared, only of f32, f64, c64 and c128");
        CHECK(result.output.empty());
      }
    }
  }
}

TEST_CASE("products with an epilogue are measured, explained and verified") {
  for (const char* const command : {"bench", "ladder"}) {
    std::vector<std::string> call{
        command, "--shape", "33x17x9", "--batch", "2", "--epilogue", "scale_row+bias_column+silu+residual", "--json"};
    if (call.front() == "ladder") call.insert(call.end(), {"--variant", "naive"});
    const CommandResult result = run_command(call);
    CHECK_MESSAGE(result.status == 0, result.errors);
    const json line = json_lines(result.output).at(0);
    CHECK(line.at("epilogue") == "scale_row+bias_column+silu+residual");
    CHECK(line.at("verified") == true);
  }
  const CommandResult explained = run_command({"explain", "--shape", "8x8x8", "--epilogue", "relu", "--json"});
  CHECK(json::parse(explained.output).at("epilogue") == "relu");
  CHECK_FALSE(json::parse(run_command({"explain", "--shape", "8x8x8", "--json"}).output).contains("epilogue"));
  check_refused(run_command({"bench", "--shape", "8x8x8", "--epilogue", "swish"}),
                "'swish' is not part of an epilogue");
  check_refused(run_command({"bench", "--op", "transpose", "--shape", "8x8", "--epilogue", "relu"}),
                "--epilogue are not for --op transpose");
}

TEST_CASE("wrong calls are refused with a message that states the error") {
  check_refused(run_command({}), "a command is needed; see `tilewright --help`");
  check_refused(run_command({"fly"}), "unknown command 'fly': expected devices, multiply");
  check_refused(run_command({"lader"}), "unknown command 'lader': did you mean ladder?");
  check_refused(run_command({"cache", "lsit"}), "did you mean list? See `tilewright cache --help`");
  check_refused(run_command({"help", "lader"}), "did you mean ladder?");
  check_refused(run_command({"help", "devices", "list"}), "`tilewright devices` has no commands");
  check_refused(run_command({"ladder", "--sise", "8"}), "did you mean --size? See `tilewright ladder --help`");
  check_refused(run_command({"--against", "ladder"}), "belongs after `tilewright ladder`");
  check_refused(run_command({"devices", "bench", "--shape", "1x1x1"}), "bench");
  check_refused(run_command({"ladder", "--shape", "12x"}),
                "MxNxK, whole numbers from 1, for example 512x512x1024; see");
  check_refused(run_command({"ladder", "--size", "8", "--type", "f8"}), "unknown type 'f8'");
  check_refused(run_command({"ladder", "--size", "8", "--trans", "XY"}), "XY");
  check_refused(run_command({"ladder", "--size", "8", "--device", "no such device"}), "no such device", 1);
  check_refused(run_command({"ladder", "--size", "8", "--against", "mkl"}), "mkl");
  check_refused(run_command({"bench"}), "--shape");
  check_refused(run_command({"bench", "--shapes", "no/such/file.csv"}), "no/such/file.csv", 1);
  check_refused(run_command({"ladder", "--shape", "4000000000x4000000000x4000000000"}), "GiB", 1);
  check_refused(run_command({"explain", "--shape", "1x1x1", "--device", "99:0"}), "99:0", 1);
}

TEST_CASE("invalid and out-of-range numbers have short and clear messages") {
  const std::string flood(5000, '9');
  for (const std::string& number : {std::string("0"), std::string("-1"), std::string("1.5"), std::string("x"),
                                    std::string(""), std::string("18446744073709551616"), flood}) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"ladder", "--size"},
                                                  {"bench", "--shape", "1x1x1", "--runs"},
                                                  {"explain", "--shape", "1x1x1", "--batch"}}) {
      std::vector<std::string> call = words;
      call.push_back(number);
      const CommandResult result = run_command(call);
      check_refused(result, words.back() + ": ");
      CHECK(result.errors.find("is not a whole number from 1 to ") != std::string::npos);
      CHECK(result.errors.size() < 200);
    }
  }
}

}  // namespace
}  // namespace tilewright::test
