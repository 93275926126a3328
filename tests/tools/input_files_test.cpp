// Files that `tilewright multiply` refuses to read or to replace.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "files/npy.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

struct InputFiles {
  TemporaryDirectory directory;
  std::string output = directory.file("out.npy");

  CommandResult multiply(const std::string& a, const std::string& b, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"multiply", directory.file(a), directory.file(b), "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  void check_refused(const CommandResult& result, const std::string& expected) const {
    CAPTURE(result.errors);
    CHECK(result.status == 1);
    CHECK(result.errors.find(expected) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(output));
  }
};

TEST_CASE("multiply: an element that the type cannot hold is refused in any file") {
  const InputFiles files;
  const std::string good = npy_matrix<double>(2, 2, {1, 2, 3, 4}), bad = npy_matrix<double>(2, 2, {1, 2, 3, -1e39});
  files.directory.write("good.npy", good);
  files.directory.write("bad.npy", bad);
  files.directory.write("vector.npy", npy_matrix<double>(2, 1, {1, 1e39}));
  files.directory.write("bad.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n1e39\n");
  files.directory.write("sparse.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 2 1e39\n");
  const std::string c = files.directory.file("bad.npy"), vector = files.directory.file("vector.npy");
  const std::string place = "row 2, column 2 (counted from 1): the element, ";
  const auto refused = [&](const char* a, const char* b, std::vector<std::string> more, const std::string& expected) {
    more.insert(more.end(), {"--type", "f32"});
    files.check_refused(files.multiply(a, b, more), expected);
  };
  refused("bad.npy", "good.npy", {}, "bad.npy: " + place + "-1e+39, is too large for f32; use --type f64");
  refused("good.npy", "bad.npy", {"--trans-b"}, "bad.npy: " + place);
  refused("bad.mtx", "good.npy", {}, "bad.mtx: " + place + "1e+39, is too large for f32; use --type f64");
  refused("good.npy", "bad.mtx", {}, "bad.mtx: " + place);
  refused("sparse.mtx", "good.npy", {}, "sparse.mtx: " + place + "1e+39, is too large for f32; use --type f64");
  refused("good.npy", "good.npy", {"--beta", "1", "--c-in", c}, "bad.npy: " + place);
  refused("good.npy", "good.npy", {"--residual", c}, "bad.npy: " + place);
  refused("good.npy", "good.npy", {"--bias", vector, "--bias-per", "row"}, "vector.npy: row 2, column 1");
  CHECK(files.multiply("bad.npy", "bad.mtx", {}).status == 0);
}

TEST_CASE("multiply: pipes and dangling links") {
  const InputFiles files;
  const std::string pipe = files.directory.file("pipe");
  const std::string a = files.directory.write("a.npy", npy_matrix<float>(2, 2, {1, 2, 3, 4}));
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);  // without readers or writers
  files.check_refused(files.multiply("pipe", "a.npy", {}), "pipe: is not a file but a pipe");
  files.check_refused(files.multiply("a.npy", "pipe", {}), "pipe: is not a file but a pipe");
  files.check_refused(files.multiply("a.npy", "a.npy", {"--beta", "1", "--c-in", pipe}), "is not a file but a pipe");
  files.check_refused(files.multiply("pipe", "a.npy", {"--memory", "1M"}), "is not a file but a pipe");
  CHECK(run_command({"multiply", a, a, "-o", pipe}).errors.find("not a file but a pipe") != std::string::npos);
  CHECK(std::filesystem::is_fifo(pipe));
  std::filesystem::create_symlink("target.npy", files.directory.file("link"));
  CHECK(run_command({"multiply", a, a, "-o", files.directory.file("link")}).status == 0);
  CHECK(std::filesystem::is_symlink(files.directory.file("link")));
  CHECK(tool::read_npy(files.directory.file("target.npy")).header.rows == 2);
}

}  // namespace
}  // namespace tilewright::test
