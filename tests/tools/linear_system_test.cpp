// `tilewright solve`, `inverse` and `lstsq` as a user calls them.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/half.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

std::string npy_of(std::size_t rows, std::size_t columns, const std::vector<double>& elements, bool fortran = false) {
  const std::string data(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(double));
  return npy_file(std::string("{'descr': '<f8', 'fortran_order': ") + (fortran ? "True" : "False") + ", 'shape': (" +
                      std::to_string(rows) + ", " + std::to_string(columns) + "), }\n",
                  data);
}

struct Files {
  TemporaryDirectory directory;
  std::string output = directory.file("x.npy");

  CommandResult run(const std::string& command, const std::string& a, const std::string& b,
                    const std::vector<std::string>& more = {}) const {
    directory.write("a.npy", a);
    std::vector<std::string> arguments{command, directory.file("a.npy")};
    if (!b.empty()) {
      directory.write("b.npy", b);
      arguments.push_back(directory.file("b.npy"));
    }
    arguments.insert(arguments.end(), {"-o", output});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  std::vector<double> result(std::size_t count) const {
    std::ifstream stream(output, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    std::vector<double> elements(count);
    const std::size_t bytes = count * sizeof(double);
    REQUIRE(content.size() > bytes);
    std::memcpy(elements.data(), content.data() + content.size() - bytes, bytes);
    return elements;
  }

  void check_refused(const CommandResult& outcome, const std::string& expected, int status = 1) const {
    CAPTURE(outcome.errors);
    CHECK(outcome.status == status);
    CHECK(outcome.errors.find(expected) != std::string::npos);
    CHECK_FALSE(std::ifstream(output).good());
  }
};

const std::vector<double> exchanging{0, 2, 1, 0};  // needs a row interchange

}  // namespace

TEST_CASE("solve: both orders, transposed, several right-hand sides") {
  for (const bool fortran : {false, true})
    for (const bool transposed : {false, true}) {
      const Files files;
      const CommandResult outcome =
          files.run("solve", npy_of(2, 2, exchanging, fortran), npy_of(2, 2, {2, 4, 6, 8}),
                    transposed ? std::vector<std::string>{"--trans", "--json"} : std::vector<std::string>{"--json"});
      CAPTURE(outcome.errors);
      REQUIRE(outcome.status == 0);
      CHECK(outcome.output.find("\"verified\":true") != std::string::npos);
      // (0 2; 1 0) X = B interchanges the rows of B and halves one; the transpose halves the other.
      const std::vector<double> expected =
          fortran == transposed ? std::vector<double>{6, 8, 1, 2} : std::vector<double>{3, 4, 2, 4};
      CHECK(files.result(4) == expected);
    }
}

TEST_CASE("solve in mixed precision, which falls back to f64 automatically") {
  const Files files;
  const std::string b = npy_of(2, 1, {4, 3});
  CommandResult outcome = files.run("solve", npy_of(2, 2, exchanging), b, {"--mixed", "--json"});
  CAPTURE(outcome.errors);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.output.find("\"iterations\":0,\"fell_back\":false") != std::string::npos);
  CHECK(files.result(2) == std::vector<double>{3, 2});
  // Singular only in f32.
  const std::string close = npy_of(2, 2, {1, 1, 1, 1 + 0x1p-30});
  outcome = files.run("solve", close, b, {"--mixed", "--json", "--overwrite"});
  REQUIRE(outcome.status == 0);
  CHECK(outcome.output.find("\"iterations\":-1,\"fell_back\":true") != std::string::npos);
  CHECK(files.result(2) == std::vector<double>{4 + 0x1p30, -0x1p30});
  outcome = files.run("solve", close, b, {"--mixed", "--overwrite"});
  CHECK(outcome.output.find("solved in f64") != std::string::npos);
  CHECK(files.run("solve", close, b, {"--mixed", "--type", "f32", "--overwrite"}).status == 2);
  CHECK(files.run("solve", close, b, {"--mixed", "--trans", "--overwrite"}).status == 2);
}

TEST_CASE("solve --spd: Cholesky's factorisation, in both orders and types") {
  const std::vector<double> definite{4, 2, 0, 2, 5, 2, 0, 2, 5};  // L L^T with rows (2), (1 2) and (0 1 2)
  for (const bool fortran : {false, true})
    for (const std::string type : {"f32", "f64"}) {
      const Files files;
      const CommandResult outcome = files.run("solve", npy_of(3, 3, definite, fortran),
                                              npy_of(3, 2, {8, 4, 18, 8, 19, 7}), {"--spd", "--json", "--type", type});
      CAPTURE(outcome.errors);
      REQUIRE(outcome.status == 0);
      const auto json = nlohmann::json::parse(outcome.output);
      CHECK(json["verified"] == true);
      CHECK(json["factorisation"] == "cholesky");
      if (type == "f64") CHECK(files.result(6) == std::vector<double>{1, 0.5, 2, 1, 3, 1});
    }
}

TEST_CASE("solve --spd: matrices that are not symmetric or not positive definite, and options that do not fit") {
  const Files files;
  const std::string b = npy_of(3, 1, {1, 2, 3});
  files.check_refused(files.run("solve", npy_of(3, 3, {4, 2, 0, 2, 1, 2, 0, 2, 5}), b, {"--spd"}),
                      "A is not positive definite: its leading minor of order 2 is not positive");
  files.check_refused(files.run("solve", npy_of(3, 3, {4, 2, 0, 2, 5, 2, 0, 2, 0}), b, {"--spd"}),
                      "its leading minor of order 3 is not positive");
  files.check_refused(files.run("solve", npy_of(3, 3, {4, 2, 0, 2, 5, 2, 0, 3, 5}), b, {"--spd"}),
                      "A is not symmetric: element (3, 2) is 3, but element (2, 3) is 2");
  files.check_refused(files.run("solve", npy_of(3, 3, {4, 2, 0, 2, 5, 2, 0, 2, 5}), b, {"--spd", "--trans"}),
                      "excludes", 2);
  files.check_refused(files.run("solve", npy_of(3, 3, {4, 2, 0, 2, 5, 2, 0, 2, 5}), b, {"--spd", "--mixed"}),
                      "excludes", 2);
}

TEST_CASE("solve: --type applies to files of any type, and without it nothing is rounded") {
  const auto type_of = [](const CommandResult& outcome) {
    CAPTURE(outcome.errors);
    REQUIRE(outcome.status == 0);
    return nlohmann::json::parse(outcome.output)["type"].get<std::string>();
  };
  const std::string i32 = npy_matrix<std::int32_t>(2, 2, {2, 0, 0, 2}), i8 = npy_matrix<std::int8_t>(2, 1, {4, 6}),
                    u8 = npy_matrix<std::uint8_t>(2, 1, {4, 6}), f64 = npy_of(2, 1, {4, 6}),
                    f16 = npy_matrix<detail::Half>(2, 1, {detail::Half(4), detail::Half(6)});
  const Files files;
  for (const std::string& b : {i8, u8, f64, f16})
    for (const std::string type : {"f32", "f64"}) {
      CHECK(type_of(files.run("solve", i32, b, {"--type", type, "--json", "--overwrite"})) == type);
      if (type == "f64") CHECK(files.result(2) == std::vector<double>{2, 3});
      CHECK(type_of(files.run("lstsq", i32, b, {"--type", type, "--json", "--overwrite"})) == type);
    }
  CHECK(type_of(files.run("solve", i32, f64, {"--mixed", "--json", "--overwrite"})) == "f64");
  CHECK(type_of(files.run("inverse", i32, "", {"--json"})) == "f64");
  CHECK(type_of(files.run("inverse", i32, "", {"--json", "--type", "f32"})) == "f32");
  const Files none;
  none.check_refused(none.run("solve", i32, f64), "give the --type that all are to be taken as", 2);
  const std::string complex = npy_matrix<std::complex<float>>(2, 2, {2, 0, 0, 2});
  none.check_refused(none.run("solve", complex, f64), "the elements are c64", 2);
  none.check_refused(none.run("solve", npy_of(2, 2, exchanging), complex, {"--type", "f64"}), "the elements are c64",
                     2);
  none.check_refused(none.run("solve", npy_of(2, 2, {1e300, 0, 0, 1}), f64, {"--type", "f32"}),
                     "row 1, column 1 (counted from 1): the element, 1e+300, is too large for f32; use --type f64");
  none.check_refused(none.run("solve", npy_of(2, 2, exchanging), npy_of(2, 1, {1, -1e39}), {"--type", "f32"}),
                     "b.npy: row 2, column 1 (counted from 1)");
}

TEST_CASE("inverse, and calls that both commands refuse") {
  const Files files;
  files.check_refused(files.run("inverse", npy_of(2, 2, {1, 2, 2, 4}), ""), "A is singular: element (2, 2)");
  files.check_refused(files.run("inverse", npy_of(2, 3, {1, 2, 3, 4, 5, 6}), ""), "A is 2 x 3");
  files.check_refused(files.run("solve", npy_of(2, 2, exchanging), npy_of(1, 2, {1, 2})),
                      "they must have as many rows");
  files.check_refused(files.run("inverse", npy_of(2, 2, {std::nan(""), 2, 2, 4}), ""), "the result is wrong");
  files.check_refused(files.run("inverse", npy_of(2, 2, exchanging), "", {"--type", "f16"}), "f16", 2);
  const CommandResult outcome = files.run("inverse", npy_of(2, 2, exchanging), "");
  CHECK(outcome.status == 0);
  CHECK(outcome.output.find("verified") != std::string::npos);
  CHECK(files.result(4) == std::vector<double>{0, 1, 0.5, 0});
}

TEST_CASE("lstsq: least squares and smallest norms, in both orders") {
  for (const bool fortran : {false, true}) {
    // A = (1 0; 0 1; 1 1), and B has the residual (1, 1, -1) at X = (0, 1).
    const std::vector<double> a =
        fortran ? std::vector<double>{1, 0, 1, 0, 1, 1} : std::vector<double>{1, 0, 0, 1, 1, 1};
    const Files files;
    const CommandResult tall = files.run("lstsq", npy_of(3, 2, a, fortran), npy_of(3, 1, {1, 2, 0}), {"--json"});
    REQUIRE_MESSAGE(tall.status == 0, tall.errors);
    const auto report = nlohmann::json::parse(tall.output);
    CHECK(report.at("verified") == true);
    CHECK(report.at("type") == "f64");
    CHECK(report.at("residual_norm").get<double>() == doctest::Approx(std::sqrt(3)));
    CHECK(files.result(2)[0] == doctest::Approx(0).epsilon(1e-14));
    CHECK(files.result(2)[1] == doctest::Approx(1));
    const CommandResult wide =
        files.run("lstsq", npy_of(3, 2, a, fortran), npy_of(2, 2, {1, 2, 2, 4}), {"--trans", "--overwrite"});
    REQUIRE_MESSAGE(wide.status == 0, wide.errors);
    CHECK(wide.output.find("smallest norm") != std::string::npos);
    const std::vector<double> expected{0, 0, 1, 2, 1, 2}, found = files.result(6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("lstsq: types of the files, complex matrices, and larger systems of every shape") {
  using Complex = std::complex<double>;
  const Files files;
  // (i; 1) x = (1; 0): x = conj(i) / 2.
  const CommandResult complex = files.run("lstsq", npy_matrix<Complex>(2, 1, {{0, 1}, 1}), npy_of(2, 1, {1, 0}));
  REQUIRE_MESSAGE(complex.status == 0, complex.errors);
  CHECK(std::abs(files.result(2)[0]) < 1e-14);
  CHECK(files.result(2)[1] == doctest::Approx(-0.5));
  std::vector<Complex> a(30 * 17), b(30 * 70);
  std::vector<float> real_a(a.size()), real_b(b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = Complex(real_a[i] = static_cast<float>((i * i) % 101), static_cast<double>(i % 7));
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = Complex(static_cast<double>(i % 11), real_b[i] = static_cast<float>((i * i) % 103));
  for (const char* const trans : {"", "--trans"})
    for (const bool is_wide : {false, true}) {
      const std::size_t rows = is_wide ? 17 : 30, columns = 47 - rows, of_b = *trans == 0 ? rows : columns;
      std::vector<std::string> more{"--json", "--overwrite"};
      if (*trans != 0) more.emplace_back(trans);
      std::vector<Complex> first(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(of_b * 70));
      std::vector<float> real(real_b.begin(), real_b.begin() + static_cast<std::ptrdiff_t>(of_b * 70));
      for (const CommandResult& outcome :
           {files.run("lstsq", npy_matrix(rows, columns, a), npy_matrix(of_b, 70, first), more),
            files.run("lstsq", npy_matrix(rows, columns, real_a), npy_matrix(of_b, 70, real), more)}) {
        REQUIRE_MESSAGE(outcome.status == 0, outcome.errors);
        CHECK(nlohmann::json::parse(outcome.output).at("backward_error") < 30);
      }
    }
}

TEST_CASE("lstsq refuses matrices without full rank, sizes that do not fit and wrong types") {
  const Files files;
  const std::string a = npy_of(3, 2, {0, 1, 0, 2, 0, 3}), b = npy_of(3, 1, {1, 2, 3});
  files.check_refused(files.run("lstsq", a, b), "A lacks full rank: element (1, 1) of R is exactly 0");
  files.check_refused(files.run("lstsq", a, npy_of(2, 1, {1, 2})), "A is 3 x 2 but B is 2 x 1");
  files.check_refused(files.run("lstsq", a, b, {"--trans"}), "op(A) is 2 x 3 but B is 3 x 1");
  files.check_refused(files.run("lstsq", npy_of(2, 1, {std::nan(""), 1}), npy_of(2, 1, {1, 2})), "the result is wrong");
  files.check_refused(files.run("lstsq", npy_of(1, 2, {std::nan(""), 1}), npy_of(1, 1, {1})), "the result is wrong");
  files.check_refused(
      files.run("lstsq", npy_matrix<std::complex<double>>(1, 1, {{0, 1}}), npy_of(1, 1, {1}), {"--type", "f64"}),
      "use --type c64 or c128", 2);
  files.check_refused(files.run("lstsq", a, b, {"--type", "i8"}), "i8", 2);
}

}  // namespace tilewright::test
