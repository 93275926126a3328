// `tilewright multiply` with a sparse A, and --op spmm of other commands.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "files/npy.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {
namespace {

/// A = [0 1.5 0 -2; 0 0 0 0; 4 0.25 0 0], written by SciPy and as text, and B = [1 2; 3 4; 5 6; 7 8].
class Files {
 public:
  Files() {
    directory.write("a.mtx",
                    "%%MatrixMarket matrix coordinate real general\n3 4 5\n1 2 1.5\n3 1 4\n1 4 -2\n3 2 1\n3 2 -.75\n");
    directory.write("b.npy", npy_matrix<float>(4, 2, {1, 2, 3, 4, 5, 6, 7, 8}));
    directory.write("b_fortran.npy", npy_matrix<float>(4, 2, {1, 3, 5, 7, 2, 4, 6, 8}, true));
    directory.write("b_t.npy", npy_matrix<float>(2, 4, {1, 3, 5, 7, 2, 4, 6, 8}));
    directory.write("b.mtx", "%%MatrixMarket matrix array integer general\n4 2\n1\n3\n5\n7\n2\n4\n6\n8\n");
    directory.write("c.npy", npy_matrix<float>(3, 2, {1, 2, 3, 4, 5, 6}));
    directory.write("c_fortran.npy", npy_matrix<float>(3, 2, {1, 3, 5, 2, 4, 6}, true));
  }

  CommandResult multiply(const std::string& a, const std::string& b, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"multiply", a, directory.file(b), "-o", output()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  template <class T>
  void check_product(const CommandResult& result, const std::vector<T>& expected) const {
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    CHECK(result.output.find("verified") != std::string::npos);
    const tool::NpyMatrix matrix = tool::read_npy(output());
    CHECK(matrix.header.type == detail::HostType<T>::type);
    CHECK(tool::elements_as<T>(matrix) == expected);
    std::filesystem::remove(output());
  }

  /// Checks that a call was refused with a message and created no file.
  void check_refused(const CommandResult& result, const std::string& expected, int status = 1) const {
    CAPTURE(result.errors);
    CHECK(result.status == status);
    CHECK(result.errors.find(expected) != std::string::npos);
    CHECK(directory.files() == 7);
  }

  std::string output() const { return directory.file("out.npy"); }

  TemporaryDirectory directory;
  std::string npz = std::string(TILEWRIGHT_TEST_SOURCE) + "/tests/fuzz/corpus/npz/scipy_csr_f4";
  std::string mtx = directory.file("a.mtx");
};

const std::vector<float> product{-9.5, -10, 0, 0, 4.75, 9};

}  // namespace

TEST_CASE("multiply: a sparse A from archives, and B in either order") {
  const Files files;
  for (const char* const b : {"b.npy", "b_fortran.npy"}) files.check_product(files.multiply(files.npz, b), product);
  files.check_product(files.multiply(files.npz, "b_t.npy", {"--trans-b"}), product);
  for (const char* const c : {"c.npy", "c_fortran.npy"})
    files.check_product<float>(
        files.multiply(files.npz, "b.npy", {"--alpha", "-2", "--beta", "0.5", "--c-in", files.directory.file(c)}),
        {19.5, 21, 1.5, 2, -7, -15});
  files.check_product<float>(files.multiply(files.npz, "c.npy", {"--trans-a"}), {20, 24, 2.75, 4.5, 0, 0, -2, -4});
}

TEST_CASE("multiply: a sparse A from text is in double precision, unless another type is requested") {
  const Files files;
  files.check_product(files.multiply(files.mtx, "b.mtx", {"--type", "f32"}), product);
  if (!pick_device().profile.fp64) {
    files.check_refused(files.multiply(files.mtx, "b.npy"), "use another type");
    return;
  }
  const std::vector<double> wide(product.begin(), product.end());
  files.check_product(files.multiply(files.mtx, "b.npy"), wide);
  const CommandResult result = files.multiply(files.mtx, "b.mtx", {"--json"});
  const auto line = nlohmann::json::parse(result.output);
  CHECK(line["nonzeros"] == 5);
  CHECK(line["type"] == "f64");
  files.check_product(result, wide);
}

TEST_CASE("multiply: unsupported calls with a sparse A are reported, and no file is created") {
  const Files files;
  files.check_refused(files.multiply(files.npz, "c.npy"), "op(A) is 3 x 4 but op(B) is 3 x 2");
  files.check_refused(files.multiply(files.npz, "b.npy", {"--beta", "1", "--c-in", files.directory.file("b.npy")}),
                      "the matrix of --c-in is 4 x 2, the product is 3 x 2");
  files.check_refused(files.multiply(files.npz, "a.mtx"), "a.mtx: is a sparse matrix, but a dense one is expected");
  files.check_refused(files.multiply(files.directory.file("b.npy"), "a.mtx"), "only A may be sparse");
  files.check_refused(files.multiply(files.npz, "b.npy", {"--beta", "1"}), "--beta needs the matrix of --c-in", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--type", "f16"}), "the type is f16", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--alpha", "i"}), "i is complex", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--conjugate-a"}), "--trans-a and --trans-b", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--accuracy", "tf32"}), "are not for a sparse A", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--activation", "relu"}), "are not for a sparse A", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--variant", "register_blocked"}), "variant", 2);
  files.check_refused(files.multiply(files.npz, "b.npy", {"--alpha", "1e300"}), "is too large for f32", 2);
  const CommandResult same = run_command({"multiply", files.mtx, files.directory.file("b.npy"), "-o", files.mtx});
  CHECK(same.errors.find("--overwrite") != std::string::npos);
}

TEST_CASE("bench, ladder and explain accept --op spmm") {
  const Files files;
  const CommandResult bench =
      run_command({"bench", "--op", "spmm", files.npz, files.mtx, "--columns", "1,5", "--runs", "1", "--json"});
  CAPTURE(bench.errors);
  REQUIRE(bench.status == 0);
  std::istringstream lines(bench.output);
  std::vector<nlohmann::json> results;
  for (std::string line; std::getline(lines, line);) results.push_back(nlohmann::json::parse(line));
  REQUIRE(results.size() == 4);
  CHECK(results[1]["n"] == 5);
  for (const auto& line : results) {
    CHECK(line["verified"] == true);
    CHECK(line["host_seconds"].get<double>() > 0);
    CHECK(line["rows"]["longest"] == (line["file"] == files.npz ? 2 : 3));
  }
  const CommandResult explain = run_command({"explain", "--op", "spmm", files.npz, "--columns", "5"});
  CHECK(explain.status == 0);
  CHECK(explain.output.find("1 of 3 empty") != std::string::npos);
  const CommandResult ladder =
      run_command({"ladder", "--op", "spmm", files.npz, "--variant", "row_per_item", "--columns", "5"});
  CHECK(ladder.status == 0);
  CHECK(ladder.output.find("row_per_item") != std::string::npos);
}

TEST_CASE("a sparse file is tuned, and its records are used") {
  const Files files;
  const ScopedEnvironment place("TILEWRIGHT_DATA_DIR", files.directory.file("data")), on("TILEWRIGHT_RECORDS", {});
  const CommandResult tuned = run_command(
      {"tune", "--op", "spmm", files.npz, "--columns", "3", "--budget", "2", "--variant", "row_per_item", "--json"});
  CAPTURE(tuned.errors);
  REQUIRE(tuned.status == 0);
  const auto first = nlohmann::json::parse(tuned.output.substr(0, tuned.output.find('\n')));
  CHECK(first["operation"] == "spmm");
  CHECK(first["nonzeros"] == 4);
  CHECK(first["longest_row"] == 2);
  CHECK(first["speedup"] >= 1);
  files.directory.write("shapes.csv", "n,file\n3," + files.npz + "\n");
  const CommandResult again =
      run_command({"tune", "--op", "spmm", "--shapes", files.directory.file("shapes.csv"), "--budget", "2"});
  CHECK_MESSAGE(again.errors.find("1 of 1 shape has records") != std::string::npos, again.errors);
  const CommandResult explained = run_command({"explain", "--op", "spmm", files.npz, "--columns", "3", "--json"});
  CHECK_MESSAGE(
      nlohmann::json::parse(explained.output)["reason"].get<std::string>().find("measured") != std::string::npos,
      explained.output);
  const CommandResult bench =
      run_command({"bench", "--op", "spmm", "--shapes", files.directory.file("shapes.csv"), "--runs", "1", "--json"});
  CAPTURE(bench.errors);
  REQUIRE(bench.status == 0);
  CHECK(nlohmann::json::parse(bench.output)["n"] == 3);
  const CommandResult verified = run_command({"tune", "--op", "spmm", "--verify-only"});
  CHECK_MESSAGE(verified.status == 0, verified.errors);
  CHECK(verified.output.find("right: 3 x 4") != std::string::npos);
}

TEST_CASE("bench, ladder and explain refuse options that do not apply to --op spmm") {
  const Files files;
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& expected) {
    const CommandResult result = run_command(arguments);
    CHECK_MESSAGE(result.errors.find(expected) != std::string::npos, result.errors);
    CHECK(result.status == 2);
  };
  refused({"bench", "--op", "spmm"}, "name a file of a sparse matrix");
  refused({"bench", files.npz}, "files of matrices are for --op spmm alone");
  refused({"explain", "--shape", "1x1x1", "--columns", "2"}, "--columns is for --op spmm alone");
  refused({"ladder", "--op", "transpose", files.npz}, "for --op spmm alone");
  refused({"explain"}, "--shape is missing");
  refused({"bench", "--op", "spmm", files.npz, "--shape", "1x1x1"}, "instead of --shape");
  refused({"bench", "--op", "spmm", files.npz, "--against", "openblas"}, "leave out --against");
  refused({"bench", "--op", "spmm", files.npz, "--summary"}, "--summary");
  refused({"bench", "--op", "spmm", files.npz, "--type", "f16"}, "the type is f16");
  refused({"bench", "--op", "spmm", files.npz, "--trans", "TN"}, "are not for --op spmm");
  refused({"bench", "--op", "spmm", files.npz, "--columns", "0"}, "from 1 to");
  refused({"tune", files.npz}, "files of sparse matrices with --op spmm");
  refused({"tune", "--op", "spmm", files.npz, "--isolate"}, "--isolate does not go with files");
  refused({"tune", "--op", "spmm", "--columns", "2"}, "--columns goes with files");
  refused({"tune", "--op", "spmm", "--shape", "3x3"}, "instead of --shape");
  refused({"ladder", "--op", "spmm", files.npz, files.mtx}, "one file and one number of --columns");
  CHECK(run_command({"bench", "--op", "spmm", files.directory.file("b.npy")}).errors.find("is a dense matrix") !=
        std::string::npos);
}

}  // namespace tilewright::test
