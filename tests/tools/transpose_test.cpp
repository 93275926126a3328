// `tilewright transpose` on files with all kinds of elements, and --op transpose of other commands.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

std::string npy_of(const std::string& descriptor, bool fortran, std::uint64_t rows, std::uint64_t columns,
                   const std::string& data) {
  return npy_file("{'descr': '" + descriptor + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                      std::to_string(rows) + ", " + std::to_string(columns) + "), }\n",
                  data);
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct Files {
  TemporaryDirectory directory;
  std::string output = directory.file("out.npy");

  CommandResult transpose(const std::string& content, const std::vector<std::string>& more = {}) const {
    directory.write("a.npy", content);
    std::vector<std::string> arguments{"transpose", directory.file("a.npy"), "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  /// Checks that a call was refused with one message and created no file.
  void check_refused(const CommandResult& result, const std::string& expected, int status = 1) const {
    CAPTURE(result.errors);
    CHECK(result.status == status);
    CHECK(result.errors.find(expected) != std::string::npos);
    CHECK(content_of(output).empty());
  }
};

}  // namespace

TEST_CASE("transpose: elements of every size keep their bits and their descriptor, in either order") {
  struct Kind {
    std::string descriptor;
    std::size_t bytes;
  };
  const Kind kinds[] = {{"|b1", 1}, {"|S1", 1}, {"<f2", 2},     {">i2", 2},  {"<f4", 4},
                        {"<U1", 4}, {"<c8", 8}, {"<M8[ns]", 8}, {"<c16", 16}};
  for (const Kind& kind : kinds)
    for (const bool fortran : {false, true}) {
      CAPTURE(kind.descriptor);
      const std::size_t bytes = kind.bytes;
      std::string a, b;  // 2 x 3, and its transpose
      for (std::size_t i = 0; i < 6 * bytes; ++i) a += static_cast<char>(i * 37 + 0x7f);
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 2; ++i) b += a.substr((i * 3 + j) * bytes, bytes);
      const Files files;
      // The columns of A have the storage order of the rows of B.
      const CommandResult result = files.transpose(npy_of(kind.descriptor, fortran, 2, 3, a));
      CHECK_MESSAGE(result.status == 0, result.errors);
      const std::string written = content_of(files.output);
      CHECK(written.ends_with(fortran ? a : b));
      CHECK(written.find("'" + kind.descriptor + "', 'fortran_order': False, 'shape': (3, 2)") != std::string::npos);
    }
}

TEST_CASE("transpose: numbers can be scaled, other elements cannot") {
  const Files files;
  const std::string numbers = npy_matrix<float>(1, 3, {1, 2, 3});
  CHECK(files.transpose(numbers, {"--alpha", "-2", "--json"}).status == 0);
  CHECK(content_of(files.output).ends_with(raw<float>({-2, -4, -6})));
  const Files others;
  others.check_refused(others.transpose(npy_of("<i4", false, 1, 2, "12345678"), {"--alpha", "2"}), "alpha must be 1");
}

TEST_CASE("transpose: unsigned integers are scaled as bfloat16 on request") {
  const Files files;
  const std::string bits = raw<std::uint16_t>({0x3f80, 0x4000, 0xbfc0});  // 1, 2, -1.5
  files.check_refused(files.transpose(npy_of("<u2", false, 1, 3, bits), {"--alpha", "2"}), "alpha must be 1");
  files.check_refused(files.transpose(npy_of("<f4", false, 1, 1, "1234"), {"--type", "bf16"}),
                      "the elements are '<f4', expected '<u2'", 2);
  const CommandResult result = files.transpose(npy_of("<u2", false, 1, 3, bits), {"--type", "bf16", "--alpha", "2"});
  CHECK_MESSAGE(result.status == 0, result.errors);
  CHECK(content_of(files.output).ends_with(raw<std::uint16_t>({0x4000, 0x4080, 0xc040})));
  CHECK(files.transpose(npy_matrix<float>(1, 1, {1}), {"--type", "f32", "--alpha", "3"}).status == 0);
  const Files others;
  others.check_refused(others.transpose(npy_matrix<float>(1, 1, {1}), {"--alpha", "1e39"}), "is too large for f32", 2);
}

TEST_CASE("transpose: unsupported calls are reported, and no file is created") {
  const Files files;
  files.check_refused(files.transpose(npy_of("|O", false, 1, 1, "12345678")),
                      "elements of 1, 2, 4, 8 or 16 bytes are expected");
  files.check_refused(files.transpose(npy_of("<f12", false, 1, 1, "123456789012")), "bytes are expected");
  files.check_refused(files.transpose(npy_of("<i4", false, 2, 2, "1234")), "truncated");
  files.check_refused(files.transpose(npy_matrix<float>(1, 1, {1}), {"--variant", "transposed"}), "variant", 2);
  const std::string same = files.directory.file("a.npy");
  CHECK(run_command({"transpose", same, "-o", same}).errors.find("--overwrite") != std::string::npos);
}

TEST_CASE("bench, ladder and explain accept --op transpose") {
  const CommandResult bench = run_command({"bench", "--op", "transpose", "--shape", "65x33", "--runs", "1", "--json"});
  CAPTURE(bench.errors);
  REQUIRE(bench.status == 0);
  const auto line = nlohmann::json::parse(bench.output);
  CHECK(line["verified"] == true);
  CHECK(line["of_copy_speed"].get<double>() > 0);
  const CommandResult in_place =
      run_command({"explain", "--op", "transpose", "--in-place", "--shape", "6x4", "--json"});
  CHECK(nlohmann::json::parse(in_place.output)["variant"] == "decomposed");
  CHECK(run_command({"ladder", "--op", "transpose", "--shape", "40x50"}).status == 0);
  const CommandResult two =
      run_command({"ladder", "--op", "transpose", "--shape", "40x50", "--variant", "row_reads,padded_tile", "--json"});
  CHECK(two.output.find("\"row_reads\"") != std::string::npos);
  CHECK(two.output.find("\"padded_tile\"") != std::string::npos);
  CHECK(two.output.find("\"row_writes\"") == std::string::npos);
  CHECK(run_command({"explain", "--shape", "3x3x3", "--in-place"}).status == 2);
  CHECK(run_command({"bench", "--op", "transpose", "--shape", "3x3x3"}).status == 2);
  CHECK(run_command({"bench", "--op", "gemw", "--shape", "3x3"}).status == 2);
}

TEST_CASE("a ladder of which no variant ran is a failure") {
  const std::vector<std::string> ladder{"ladder", "--op", "transpose", "--shape", "64x32", "--variant"};
  std::vector<std::string> none = ladder, some = ladder;
  none.emplace_back("swapped_tiles");  // which is for square matrices in place
  some.emplace_back("swapped_tiles,register_block");
  const CommandResult failed = run_command(none);
  CHECK(failed.status == 1);
  CHECK(failed.errors.find("no variant was run") != std::string::npos);
  CHECK(failed.output.find("swapped_tiles") != std::string::npos);
  CHECK(run_command(some).status == 0);
}

}  // namespace tilewright::test
