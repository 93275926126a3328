// The command on a terminal: widths, colours and forbidden outputs; also its handling of closed and full outputs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "files/npy.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

// The text without colour codes.
std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) width = std::max(width, line.size());
  return width;
}

TEST_CASE("on a terminal tables fit the width and the winner is coloured, unless colours are disabled") {
  const std::vector<std::string> explain{"explain", "--shape", "100x200x300"};
  const ScopedEnvironment colours("NO_COLOR", std::nullopt);
  for (const std::uint16_t columns : {std::uint16_t{80}, std::uint16_t{120}}) {
    for (const auto& words : {explain,
                              {"devices"},
                              {"records", "list"},
                              {"devices", "--verbose"},
                              {"help"},
                              {"help", "tune"},
                              {"help", "cache"}}) {
      const CommandResult result = run_on_terminal(columns, words);
      CAPTURE(result.output);
      CHECK(result.status == 0);
      CHECK(widest(without_colours(result.output)) <= columns);
    }
  }
  CHECK(widest(run_command(explain).output) > 120);  // a pipe gets one line per row
  CHECK(run_on_terminal(80, explain).output.find("\x1b[1;32m* ") != std::string::npos);
  CHECK(run_command(explain).output.find('\x1b') == std::string::npos);
  const ScopedEnvironment none("NO_COLOR", "1");
  CHECK(run_on_terminal(80, explain).output.find('\x1b') == std::string::npos);
}

TEST_CASE("a binary matrix is not written to a terminal") {
  const TemporaryDirectory directory;
  const std::string a = directory.write("a.npy", npy_matrix<float>(1, 1, {1}));
  const CommandResult result = run_on_terminal(80, {"multiply", a, a, "-o", "-"});
  CHECK(result.status == 1);
  CHECK(result.output.find("is a terminal, but the matrix is binary") != std::string::npos);
  CHECK(result.output.find("NUMPY") == std::string::npos);
}

TEST_CASE("output to a closed standard output never reaches another file, and the cause is reported") {
  const TemporaryDirectory directory;
  const std::string a = directory.write("a.npy", npy_matrix<float>(1, 1, {3}));
  const std::string c = directory.file("c.npy");
  const std::string command = std::string(TILEWRIGHT_COMMAND) + " multiply " + a + ' ' + a + " -o " + c;
  const auto shell = [](const std::string& line) { return ChildProcess({"/bin/sh", "-c", line}).wait(); };
  const std::string errors = directory.file("errors");
  CHECK(shell("exec " + command + " >&- 2>" + errors) == 1);
  CHECK(tool::elements_as<float>(tool::read_npy(c)) == std::vector<float>{9});
  CHECK(directory.read("errors").find("tilewright: ") == 0);
  CHECK(shell("exec " + std::string(TILEWRIGHT_COMMAND) + " devices >/dev/full 2>" + errors) == 1);
  CHECK(directory.read("errors").find("No space left on device") != std::string::npos);
}

TEST_CASE("a wrong result is reported once with its position, and is not written") {
  const TemporaryDirectory directory;
  std::filesystem::copy(TILEWRIGHT_KERNELS, directory.file("cl"), std::filesystem::copy_options::recursive);
  std::string source = directory.read("cl/gemm/naive.cl");
  const std::string zero = "accum_t sum = 0;";
  REQUIRE(source.find(zero) != std::string::npos);
  directory.write("cl/gemm/naive.cl", source.replace(source.find(zero), zero.size(), "accum_t sum = 1;"));
  const ScopedEnvironment kernels("TILEWRIGHT_KERNEL_DIR", directory.file("cl"));

  const CommandResult bench = run_command({"bench", "--shape", "4x5x6", "--variant", "naive", "--runs", "1"});
  CHECK(bench.status == 1);
  CHECK(bench.errors.find("tilewright: 4 x 5 x 6 f32 NN: wrong result of tilewright: row ") != std::string::npos);
  CHECK(bench.errors.find("tilewright: tilewright:") == std::string::npos);
  CHECK(bench.output.find("NO") != std::string::npos);

  const std::string a = directory.write("a.npy", npy_matrix<float>(2, 2, {1, 2, 3, 4}));
  const std::string c = directory.file("c.npy");
  const CommandResult multiply = run_command({"multiply", a, a, "-o", c, "--variant", "naive", "--json"});
  CHECK(multiply.status == 1);
  CHECK(nlohmann::json::parse(multiply.output).at("verified") == false);
  CHECK(nlohmann::json::parse(multiply.output).at("output").is_null());
  CHECK_FALSE(std::filesystem::exists(c));
}

}  // namespace
}  // namespace tilewright::test
