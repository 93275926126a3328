#include "files/sparse_matrix.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <limits>

#include "files/file_error.hpp"
#include "files/matrix_file.hpp"
#include "tools/npy_bytes.hpp"
#include "tools/temporary_directory.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {
namespace {

using test::TemporaryDirectory;
using verification::HostCsr;
using verification::HostSpmm;

/// [0 1 2; 0 0 0; 3 0 4], with the last element as 5 - 1, in no order.
Triplets example() { return {DataType::f32, 3, 3, {2, 0, 2, 0, 2}, {2, 1, 0, 2, 2}, {5, 1, 3, 2, -1}}; }

const std::string coordinates = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 7\n";
const std::string array = "%%MatrixMarket matrix array real general\n1 2\n7\n8\n";

FileErrorCode code_of(const auto& call) {
  try {
    call();
  } catch (const FileError& error) {
    return error.code();
  }
  FAIL("nothing was thrown");
  return {};
}

}  // namespace

TEST_CASE("sparse matrix: triplets become sorted rows of the matrix or its transpose") {
  const HostCsr<float> a = by_rows<float>(example(), false, "a");
  CHECK(a.rows == 3);
  CHECK(a.offsets == std::vector<std::int64_t>{0, 2, 2, 5});
  CHECK(a.indices == std::vector<std::int64_t>{1, 2, 2, 0, 2});
  CHECK(a.values == std::vector<float>{1, 2, 5, 3, -1});
  const HostCsr<double> transposed = by_rows<double>(example(), true, "a");
  CHECK(transposed.offsets == std::vector<std::int64_t>{0, 1, 2, 5});
  CHECK(transposed.indices == std::vector<std::int64_t>{2, 0, 2, 0, 2});
  const HostCsr<float> empty = by_rows<float>({DataType::f32, 2, 0, {}, {}, {}}, false, "a");
  CHECK(empty.offsets == std::vector<std::int64_t>{0, 0, 0});
}

TEST_CASE("sparse matrix: matrices too large for a type or this machine are refused") {
  Triplets matrix = example();
  matrix.values[0] = 1e300;
  CHECK_THROWS_WITH_AS(
      by_rows<float>(matrix, false, "a"),
      doctest::Contains(
          "a: row 3, column 3 (counted from 1): the element, 1e+300, is too large for f32; use --type f64"),
      FileError);
  CHECK_THROWS_AS(by_rows<float>(matrix, true, "a"), FileError);
  CHECK(by_rows<double>(matrix, false, "a").values[2] == 1e300);
  matrix.values[0] = std::numeric_limits<double>::infinity();
  CHECK(by_rows<float>(matrix, false, "a").values[2] == std::numeric_limits<float>::infinity());
  matrix.rows = std::uint64_t{1} << 60;
  CHECK(code_of([&] { by_rows<float>(matrix, false, "a.mtx"); }) == FileErrorCode::too_large);
}

TEST_CASE("sparse matrix: the reference, and the loop used for speed comparisons") {
  const HostCsr<float> a = by_rows<float>(example(), false, "a");
  const std::vector<float> b{1, 2, 3, 4, 5, 6};
  const std::vector<float> product{13, 16, 0, 0, 23, 30};
  std::vector<float> c(6, -1);
  verification::multiply_on_host(a, 2, b.data(), c.data());
  CHECK(c == product);
  CHECK(verification::compare<float>({.a = a, .n = 2, .b = b.data()}, c.data()).error_over_bound == 0);
  const std::vector<float> by_columns{1, 3, 5, 2, 4, 6};
  const HostSpmm<float> call{.a = a, .n = 2, .b = by_columns.data(), .layout_b = Layout::column_major};
  CHECK(verification::compare(call, c.data()).passed());
  const std::vector<float> old{1, 2, 3, 4, 5, 6}, sum{27, 34, 3, 4, 51, 66};
  CHECK(
      verification::compare<float>({.a = a, .n = 2, .b = b.data(), .alpha = 2, .beta = 1, .c = old.data()}, sum.data())
          .passed());
  c[5] = 30.001F;
  const verification::SpmmComparison worst = verification::compare(call, c.data());
  CHECK_FALSE(worst.passed());
  CHECK(worst.row == 2);
  CHECK(worst.column == 1);
  CHECK(worst.expected == 30);
  c[5] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(verification::compare(call, c.data()).passed());
  const HostCsr<float> none = by_rows<float>({DataType::f32, 0, 3, {}, {}, {}}, false, "a");
  CHECK(verification::compare<float>({.a = none, .n = 2, .b = b.data()}, nullptr).passed());
}

TEST_CASE("sparse matrix: descriptions") {
  const SpmmProblem problem = spmm_problem(example(), DataType::f32, 10);
  CHECK(to_string(problem) == "3 x 3, 5 entries f32");
  CHECK(flops_of(problem) == 100);
  CHECK(bytes_of(problem) == 5 * 8 + 4 * 4 + 2 * 30 * 4);
}

TEST_CASE("matrix file: formats are recognised by content, whatever the name") {
  const TemporaryDirectory directory;
  CHECK(is_sparse_file(directory.write("a", coordinates)));
  CHECK(is_sparse_file(directory.write("b", "PK\x03\x04")));
  CHECK_FALSE(is_sparse_file(directory.write("c", array)));
  CHECK_FALSE(is_sparse_file(directory.write("d", test::npy_matrix<float>(1, 1, {1}))));
  CHECK_FALSE(is_sparse_file(directory.write("e", "\x1f\x8b and more")));
  CHECK_FALSE(is_sparse_file(directory.write("f", "")));
  CHECK_FALSE(is_sparse_file(directory.file("missing")));
  for (const std::string start : {"\n", " ", "\xef\xbb\xbf"}) {
    CHECK(is_sparse_file(directory.write("g", start + coordinates)));
    CHECK_FALSE(is_sparse_file(directory.write("g", start + array)));
  }
  CHECK(is_sparse_file(directory.write("g", coordinates.substr(1))));
  // A name without a banner: the message is about the banner.
  for (const char* const name : {"g.mtx", "g.MTX", "g.mtx.gz"}) {
    directory.write(name, "1 1 1\n1 1 7\n");
    CHECK(code_of([&] { read_dense_file(directory.file(name)); }) == FileErrorCode::not_matrix_market);
    CHECK(code_of([&] { read_sparse_file(directory.file(name)); }) == FileErrorCode::not_matrix_market);
  }
  // This pipe has no writer.
  REQUIRE(mkfifo(directory.file("pipe").c_str(), 0600) == 0);
  CHECK_FALSE(is_sparse_file(directory.file("pipe")));
  CHECK(code_of([&] { read_sparse_file(directory.file("pipe")); }) == FileErrorCode::not_a_file);
  CHECK(code_of([&] { read_dense_file(directory.file("pipe")); }) == FileErrorCode::not_a_file);
  CHECK(read_sparse_file(directory.file("a")).values == std::vector<double>{7});
  const NpyMatrix dense = read_dense_file(directory.file("c"));
  CHECK(dense.header.columns == 2);
  CHECK(elements_as<double>(dense) == std::vector<double>{7, 8});
  CHECK(elements_as<float>(read_dense_file(directory.file("d"))) == std::vector<float>{1});
  using enum FileErrorCode;
  CHECK(code_of([&] { read_dense_file(directory.file("a")); }) == unsupported_format);
  CHECK(code_of([&] { read_dense_file(directory.file("b")); }) == unsupported_format);
  CHECK(code_of([&] { read_sparse_file(directory.file("c")); }) == unsupported_format);
  CHECK(code_of([&] { read_sparse_file(directory.file("d")); }) == unsupported_format);
  CHECK(code_of([&] { read_sparse_file(directory.file("missing")); }) == cannot_open);
  CHECK(code_of([&] { read_dense_file(directory.file("missing")); }) == cannot_open);
}

}  // namespace tilewright::tool
