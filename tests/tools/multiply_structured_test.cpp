// `tilewright multiply` with a symmetric, Hermitian or triangular A.
#include <doctest/doctest.h>

#include <complex>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "multiply_files.hpp"
#include "selection/json.hpp"

namespace tilewright::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// The stored triangle of (1 2; 2 3), with NaN in the other one.
void write_triangles(const MultiplyFiles& files) {
  files.directory.write("lower.npy", npy_matrix<float>(2, 2, {1, nan, 2, 3}));
  files.directory.write("upper.npy", npy_matrix<float>(2, 2, {1, 2, nan, 3}));
  files.directory.write("lower_fortran.npy", npy_matrix<float>(2, 2, {1, 2, nan, 3}, true));
}

template <class T>
void check_product(const MultiplyFiles& files, const CommandResult& result, const std::vector<T>& expected) {
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK(result.output.find("verified") != std::string::npos);
  files.check_output(expected);
  std::filesystem::remove(files.output());
}

}  // namespace

TEST_CASE("multiply --symmetric reads one triangle, in every storage order, and takes alpha, beta and op(B)") {
  const MultiplyFiles files;
  write_triangles(files);
  const auto check = [&](const std::string& a, const char* uplo, std::vector<std::string> more,
                         const std::vector<float>& expected, const char* b = "c.npy") {
    more.insert(more.end(), {"--symmetric", uplo});
    check_product(files, files.multiply(a, b, more), expected);
  };
  // (1 2; 2 3) (10 20; 30 40)
  for (const char* const b : {"c.npy", "c_fortran.npy"}) {
    check("lower.npy", "lower", {}, {70, 100, 110, 160}, b);
    check("lower_fortran.npy", "lower", {}, {70, 100, 110, 160}, b);
    check("upper.npy", "upper", {}, {70, 100, 110, 160}, b);
    check("upper.npy", "upper", {"--trans-b"}, {50, 110, 80, 180}, b);
  }
  check("upper.npy", "upper", {"--alpha", "2", "--beta=-1", "--c-in", files.directory.file("c.npy")},
        {130, 180, 190, 280});
  check("lower.npy", "lower", {"--alpha", "0", "--beta", "2", "--c-in", files.directory.file("c.npy")},
        {20, 40, 60, 80});
  check("lower.npy", "lower", {"--variant", "naive"}, {70, 100, 110, 160});
}

TEST_CASE("multiply --triangular: both triangles, transposes and a diagonal of ones") {
  const MultiplyFiles files;
  write_triangles(files);
  const auto check = [&](const std::string& a, std::vector<std::string> more, const std::vector<float>& expected) {
    more.insert(more.begin(), "--triangular");
    check_product(files, files.multiply(a, "c.npy", more), expected);
  };
  for (const char* const a : {"lower.npy", "lower_fortran.npy"}) {
    check(a, {"lower"}, {10, 20, 110, 160});
    check(a, {"lower", "--trans-a"}, {70, 100, 90, 120});
    check(a, {"lower", "--unit-diagonal", "--alpha", "2"}, {20, 40, 100, 160});
  }
  check("upper.npy", {"upper"}, {70, 100, 90, 120});
  check("upper.npy", {"upper", "--conjugate-a"}, {10, 20, 110, 160});
  // An infinity reaches only the rows that multiply it.
  files.directory.write("infinite.npy", npy_matrix<float>(2, 1, {1, std::numeric_limits<float>::infinity()}));
  check_product<float>(files, files.multiply("lower.npy", "infinite.npy", {"--triangular", "lower"}),
                       {1, std::numeric_limits<float>::infinity()});
}

TEST_CASE("multiply --hermitian: a complex matrix whose diagonal counts as real") {
  using Complex = std::complex<float>;
  const MultiplyFiles files;
  const Complex i(0, 1);
  files.directory.write("h.npy", npy_matrix<Complex>(2, 2, {1.F + 5.F * i, nan, 2.F + i, 3}));
  files.directory.write("h_fortran.npy", npy_matrix<Complex>(2, 2, {1, 2.F + i, nan, 3}, true));
  files.directory.write("x.npy", npy_matrix<Complex>(2, 1, {1, i}));
  files.directory.write("x_h.npy", npy_matrix<Complex>(1, 2, {1, -i}));
  const std::vector<Complex> expected{1.F + (2.F - i) * i, 2.F + i + 3.F * i};
  check_product(files, files.multiply("h.npy", "x.npy", {"--hermitian", "lower"}), expected);
  check_product(files, files.multiply("h_fortran.npy", "x.npy", {"--hermitian", "lower"}), expected);
  check_product(files, files.multiply("h.npy", "x_h.npy", {"--hermitian", "lower", "--conjugate-b"}), expected);
}

TEST_CASE("multiply with a structured A: larger matrices in every type, and their report") {
  const MultiplyFiles files;
  std::vector<float> a(70 * 70), b(70 * 33);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>((i * i) % 101) / 64 - 0.75F;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>((i * i) % 103) / 64 - 0.75F;
  files.directory.write("large.npy", npy_matrix(70, 70, a));
  files.directory.write("other.npy", npy_matrix(70, 33, b));
  for (const std::string structure : {"symmetric", "hermitian", "triangular"})
    for (const std::string type : {"f16", "f32", "c64"}) {
      CAPTURE(type);
      const CommandResult result = files.multiply("large.npy", "other.npy",
                                                  {"--" + structure, "upper", "--type", type, "--overwrite", "--json"});
      if (result.errors.find("lacks") != std::string::npos || result.errors.find("fp16") != std::string::npos) continue;
      REQUIRE_MESSAGE(result.status == 0, result.errors);
      const auto report = nlohmann::json::parse(result.output);
      CHECK(report.at("verified") == true);
      CHECK(report.at("error_over_bound") <= 1);
      CHECK(report.at("structure").get<std::string>().find("upper") != std::string::npos);
      CHECK(report.at("type") == type);
      CHECK_FALSE(report.at("variant").get<std::string>().empty());
    }
}

TEST_CASE("multiply with a structured A refuses what such products do not have") {
  const MultiplyFiles files;
  const auto refuse = [&](const std::string& a, const std::vector<std::string>& more, const std::string& expected,
                          int status = 2) { files.check_refused(files.multiply(a, "c.npy", more), expected, status); };
  refuse("a_t.npy", {"--symmetric", "lower"}, "A is 3 x 2, but a symmetric", 1);
  refuse("c.npy", {"--symmetric", "lower", "--triangular", "lower"}, "excludes");
  refuse("c.npy", {"--symmetric", "lower", "--trans-a"}, "excludes");
  refuse("c.npy", {"--symmetric", "left"}, "left");
  refuse("c.npy", {"--unit-diagonal"}, "requires");
  refuse("c.npy", {"--triangular", "lower", "--beta", "1", "--c-in", files.directory.file("c.npy")},
         "--beta does not work with --triangular");
  refuse("c.npy", {"--symmetric", "lower", "--activation", "relu"}, "an epilogue does not work with --symmetric");
  refuse("c.npy", {"--symmetric", "lower", "--memory", "1M"}, "--memory does not work with --symmetric");
  refuse("c.npy", {"--symmetric", "lower", "--algorithm", "strassen"}, "--algorithm strassen does not work");
  refuse("c.npy", {"--symmetric", "lower", "--c-type", "f32"}, "--c-type does not work");
}

}  // namespace tilewright::test
