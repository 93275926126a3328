// `tilewright multiply` on files with a known product.
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "files/npy.hpp"
#include "multiply_files.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "temporary_directory.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm_choice.hpp"

namespace tilewright::test {
namespace {

TEST_CASE("multiply: all orders, versions and transposes give the same product") {
  const MultiplyFiles files;
  const auto check = [&](const CommandResult& result) {
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    CHECK(result.output.find("verified") != std::string::npos);
    CHECK(result.output.find("2 x 2 x 3 f32") != std::string::npos);
    files.check_output(files.product);
    std::filesystem::remove(files.output());
  };
  check(files.multiply("a.npy", "b.npy"));
  check(files.multiply("a_fortran.npy", "b.npy"));
  check(files.multiply("a_t.npy", "b.npy", {"--trans-a"}));
  check(files.multiply("a.npy", "b_fortran_t.npy", {"--trans-b"}));
  check(files.multiply("a_t.npy", "b_fortran_t.npy", {"--trans-a", "--trans-b"}));
}

TEST_CASE("multiply: alpha, beta and C") {
  const MultiplyFiles files;
  for (const char* const c : {"c.npy", "c_fortran.npy"}) {
    const CommandResult result =
        files.multiply("a.npy", "b.npy", {"--alpha", "-2", "--beta", "0.5", "--c-in", files.directory.file(c)});
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    files.check_output<float>({-5, -12, -13, -26});
  }
  CHECK(files.multiply("a.npy", "b.npy", {"--alpha", "0"}).status == 0);
  files.check_output<float>({0, 0, 0, 0});
}

TEST_CASE("multiply: non-finite scalars follow IEEE 754 and verify") {
  const MultiplyFiles files;
  CHECK(files.multiply("a.npy", "b.npy", {"--alpha=-inf"}).status == 0);
  const float infinity = std::numeric_limits<float>::infinity();
  files.check_output<float>({-infinity, -infinity, -infinity, -infinity});
  CHECK(files.multiply("a.npy", "b.npy", {"--alpha=nan"}).status == 0);
}

TEST_CASE("multiply: complex matrices, their conjugate transposes and complex scalars") {
  using Complex = std::complex<float>;
  const MultiplyFiles files;
  const auto write = [&](const char* name, const std::vector<Complex>& elements, bool fortran = false) {
    files.directory.write(name, npy_matrix<Complex>(2, 2, elements, fortran));
  };
  const Complex i(0, 1);
  write("a.npy", {1.F + i, 2, 0, 3.F * i});
  write("a_h.npy", {1.F - i, 0, 2, -3.F * i});
  write("a_h_fortran.npy", {1.F - i, 2, 0, -3.F * i}, true);
  write("b.npy", {1, i, 2.F * i, 1.F - i});
  write("b_h.npy", {1, -2.F * i, -i, 1.F + i});
  files.directory.write("real.npy", npy_matrix<double>(2, 2, {1, 0, 0, 2}));
  const std::vector<Complex> expected{1.F + 5.F * i, 1.F - i, -6, 3.F + 3.F * i};
  const auto check = [&](const CommandResult& result, const std::vector<Complex>& wanted) {
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    files.check_output(wanted);
    std::filesystem::remove(files.output());
  };
  check(files.multiply("a.npy", "b.npy"), expected);
  check(files.multiply("a_h.npy", "b.npy", {"--conjugate-a"}), expected);
  check(files.multiply("a_h_fortran.npy", "b.npy", {"--conjugate-a"}), expected);
  check(files.multiply("a.npy", "b_h.npy", {"--conjugate-b"}), expected);
  check(files.multiply("a.npy", "b.npy", {"--alpha", "i", "--beta=2-i", "--c-in", files.directory.file("b.npy")}),
        {-5.F + i + (2.F - i), 1.F + i + (2.F - i) * i, -6.F * i + (2.F - i) * 2.F * i,
         -3.F + 3.F * i + (2.F - i) * (1.F - i)});
  CHECK(files.multiply("real.npy", "b.npy").status == 0);
  files.check_output<std::complex<double>>({1, {0, 1}, {0, 4}, {2, -2}});
  std::filesystem::remove(files.output());
  for (const auto& result : {files.multiply("a.npy", "b.npy", {"--type", "f32"}),
                             files.multiply("real.npy", "real.npy", {"--alpha", "2i"})}) {
    CHECK(result.status == 2);
    CHECK(result.errors.find("use --type c64 or c128") != std::string::npos);
  }
  const CommandResult fused = files.multiply("a.npy", "b.npy", {"--activation", "relu"});
  CHECK(fused.status == 1);
  CHECK(fused.errors.find("a product of c64 has no epilogue") != std::string::npos);
  const CommandResult complex_residual =
      files.multiply("real.npy", "real.npy", {"--residual", files.directory.file("b.npy")});
  CHECK(complex_residual.status == 2);
  CHECK(complex_residual.errors.find("use --type c64 or c128") != std::string::npos);
  CHECK(files.multiply("a.npy", "b.npy", {"--alpha", "1+1e60i"}).errors.find("use --type c128") != std::string::npos);
}

TEST_CASE("multiply: scale, bias, activation and residual are fused") {
  const MultiplyFiles files;  // the product is [5 11; 14 23]
  const TemporaryDirectory more;
  const auto vector = [](std::string_view shape, const std::vector<float>& values) {
    return npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n", raw(values));
  };
  const std::string flat = more.write("flat.npy", vector("(2,)", {1, -10})),
                    row = more.write("row.npy", vector("(1, 2)", {1, -10})),
                    column = more.write("column.npy", vector("(2, 1)", {1, -10})),
                    three = more.write("three.npy", vector("(3,)", {1, 2, 3})), matrix = files.directory.file("c.npy"),
                    fortran = files.directory.file("c_fortran.npy");
  const auto run = [&](const std::vector<std::string>& options) { return files.multiply("a.npy", "b.npy", options); };
  files.check_refused(run({"--bias", flat}), "--bias needs --bias-per row or --bias-per column", 2);
  files.check_refused(run({"--bias", three, "--bias-per", "row"}), "has 3 elements, but the product has 2 rows");
  files.check_refused(run({"--scale", matrix, "--scale-per", "row"}), "the array is not a vector");
  files.check_refused(run({"--residual", files.directory.file("a.npy")}), "the matrix of --residual is 2 x 3");
  files.check_refused(run({"--activation", "swish"}), "swish", 2);
  for (const std::string& bias : {flat, row, column}) {
    CHECK(run({"--bias", bias, "--bias-per", "column"}).status == 0);
    files.check_output<float>({6, 1, 15, 13});
  }
  CHECK(run({"--scale", flat, "--scale-per", "row", "--activation", "relu"}).status == 0);
  files.check_output<float>({5, 11, 0, 0});
  for (const std::string& residual : {matrix, fortran}) {
    const CommandResult result = run({"--scale", flat, "--scale-per", "row", "--bias", flat, "--bias-per", "column",
                                      "--activation", "relu", "--residual", residual, "--json"});
    CHECK_MESSAGE(result.status == 0, result.errors);
    CHECK(result.output.find("\"epilogue\":\"scale_row+bias_column+relu+residual\"") != std::string::npos);
    files.check_output<float>({16, 21, 30, 40});
  }
}

TEST_CASE("multiply: empty matrices") {
  const MultiplyFiles files;
  files.directory.write("none.npy", npy_matrix<float>(0, 3, {}));
  CHECK(files.multiply("none.npy", "b.npy").status == 0);
  CHECK(tool::read_npy(files.output()).header.rows == 0);
  files.directory.write("thin.npy", npy_matrix<float>(2, 0, {}));
  files.directory.write("flat.npy", npy_matrix<float>(0, 2, {}));
  CHECK(files.multiply("thin.npy", "flat.npy").status == 0);
  files.check_output<float>({0, 0, 0, 0});
}

TEST_CASE("multiply: a product beyond all memory is refused before it is allocated") {
  const MultiplyFiles files;
  const std::vector<float> ones(2000000, 1.0F);
  files.directory.write("tall.npy", npy_matrix<float>(2000000, 1, ones));
  const CommandResult result = files.multiply("tall.npy", "tall.npy", {"--trans-b"});
  CHECK(result.status == 1);
  CHECK(result.errors.find("GiB") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(files.output()));
}

TEST_CASE("multiply: the output replaces an input only with --overwrite") {
  const MultiplyFiles files;
  const std::string a = files.directory.file("a.npy");
  const std::string link = files.directory.file("link.npy");
  const std::string hard = files.directory.file("hard.npy");
  const auto to = [&](const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"multiply", a, files.directory.file("b.npy"), "-o", output};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words);
  };
  const std::string before = files.directory.read("a.npy");
  files.check_refused(to(a), "is the same file as the input " + a);
  std::filesystem::create_symlink(a, link);
  std::filesystem::create_hard_link(a, hard);
  for (const std::string& name : {link, hard, files.directory.file("./a.npy")}) {
    const CommandResult result = to(name);
    CHECK(result.status == 1);
    CHECK(result.errors.find("--overwrite") != std::string::npos);
  }
  const std::string c = files.directory.file("c.npy");
  CHECK(to(c, {"--beta", "1", "--c-in", c}).status == 1);
  CHECK(files.directory.read("a.npy") == before);
  CHECK(to(link, {"--overwrite"}).status == 0);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(tool::elements_as<float>(tool::read_npy(a)) == files.product);
}

TEST_CASE("multiply: a matrix on standard output, with messages on standard error") {
  const MultiplyFiles files;
  const auto to_output = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"multiply", files.directory.file("a.npy"), files.directory.file("b.npy"), "-o", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words);
  };
  for (const bool json : {false, true}) {
    const CommandResult result = to_output(json ? std::vector<std::string>{"--json"} : std::vector<std::string>{});
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    files.directory.write("out.npy", result.output);
    files.check_output(files.product);
    CHECK(result.errors.find("verified") != std::string::npos);
    if (json) CHECK(nlohmann::json::parse(result.errors).at("output") == "-");
  }
  // Other outputs must be files: no file is called "-" by mistake.
  const CommandResult refused = run_command({"tune", "--budget", "1", "--report", "-"});
  CHECK(refused.status != 0);
  CHECK(refused.errors.find("./-") != std::string::npos);
}

TEST_CASE("multiply: one JSON object with its device and driver") {
  const MultiplyFiles files;
  const CommandResult result = files.multiply("a.npy", "b.npy", {"--json", "--alpha", "2"});
  CAPTURE(result.errors);
  REQUIRE(result.status == 0);
  CHECK(result.errors.empty());
  CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
  const nlohmann::json line = nlohmann::json::parse(result.output);
  const Device device = pick_device();
  CHECK(line.at("m") == 2);
  CHECK(line.at("k") == 3);
  CHECK(line.at("alpha") == 2);
  CHECK(line.at("verified") == true);
  CHECK(line.at("seconds") > 0);
  CHECK(line.at("variant").is_string());
  CHECK(line.at("configuration").is_string());
  CHECK(line.at("output") == files.output());
  CHECK(line.at("device") == device.profile.name);
  CHECK(line.at("driver") == device.profile.driver_version);
}

TEST_CASE("multiply: every variant by name") {
  const MultiplyFiles files;
  for (const VariantInfo& variant : gemm_variants()) {
    CAPTURE(variant.name);
    const CommandResult result = files.multiply("a.npy", "b.npy", {"--variant", variant.name});
    if (result.status == 0) {
      CHECK(result.output.find(variant.name) != std::string::npos);
      files.check_output(files.product);
      std::filesystem::remove(files.output());
    } else {
      files.check_refused(result, variant.name);
    }
  }
}

TEST_CASE("multiply: errors are found before anything is written") {
  const MultiplyFiles files;
  files.check_refused(files.multiply("a.npy", "b.npy", {"--variant", "magic"}), "magic", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--variant", "naiv"}), "did you mean naive?", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--variant", "naive", "--configuration", "wg_n2=8"}),
                      "did you mean wg_n?", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--configuration", "nonsense"}), "nonsense", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--alpha", "1e999"}), "too large", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--alpha", "1e39"}), "too large for f32; use --type f64", 2);
  files.check_refused(run_command({"multiply", "-", files.directory.file("b.npy"), "-o", files.output()}),
                      "standard input is not accepted here");
  files.check_refused(files.multiply("a.npy", "b.npy", {"--alpha", "two"}), "--alpha: 'two' is not a number", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--type", "f8"}), "f8", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--device", "no such device"}), "no such device");
  files.check_refused(files.multiply("a.npy", "a.npy"), "inner sizes");
  files.check_refused(files.multiply("a.npy", "missing.npy"), "missing.npy");
  files.check_refused(files.multiply("a.npy", "b.npy", {"--beta", "1"}), "--c-in", 2);
  files.check_refused(files.multiply("a.npy", "b.npy", {"--beta", "1", "--c-in", files.directory.file("a.npy")}),
                      "--c-in");
  CHECK(files.multiply("a.npy", "b.npy", {"--c-in", files.directory.file("c.npy")}).status != 0);
  const auto to = [&](const std::string& output) {
    return run_command({"multiply", files.directory.file("a.npy"), files.directory.file("b.npy"), "-o", output});
  };
  files.check_refused(to(files.directory.file("")), "not a file");
  files.check_refused(to(files.directory.file("missing/out.npy")), "missing");
  files.check_refused(to("/dev/null"), "/dev/null");
}

TEST_CASE("multiply: a failure keeps the existing file") {
  const MultiplyFiles files;
  files.directory.write("out.npy", "precious");
  CHECK(files.multiply("a.npy", "a.npy").status == 1);
  CHECK(files.directory.read("out.npy") == "precious");
}

}  // namespace
}  // namespace tilewright::test
