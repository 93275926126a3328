// `tilewright multiply` on files of different element types.
#include <doctest/doctest.h>

#include <complex>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "kernels/host_type.hpp"
#include "multiply_files.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {
namespace {

TEST_CASE("multiply: mixed types are computed in double precision, or in the requested type") {
  const MultiplyFiles files;
  CHECK(files.multiply("a.npy", "b_f8.npy", {"--type", "f32"}).status == 0);
  files.check_output(files.product);
  std::filesystem::remove(files.output());
  const CommandResult result = files.multiply("a.npy", "b_f8.npy");
  if (pick_device().profile.fp64) {
    CHECK(result.status == 0);
    files.check_output<double>({5, 11, 14, 23});
  } else {
    files.check_refused(result, "double precision");
  }
}

TEST_CASE("multiply: halves are multiplied as halves, or in the larger type of the other matrix") {
  using detail::Half;
  const MultiplyFiles files;
  const auto halves = [](const std::vector<double>& values) {
    std::vector<Half> result;
    for (const double value : values) result.emplace_back(value);
    return result;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  files.directory.write("a_f2.npy", npy_matrix<Half>(2, 3, halves({1, 2, 3, 4, 5, 6})));
  files.directory.write("b_f2.npy", npy_matrix<Half>(2, 3, halves({1, 2, 0, 0, 1, 3}), false));
  CHECK(files.multiply("a_f2.npy", "b_f2.npy", {"--trans-b"}).status == 0);
  files.check_output<Half>(halves({5, 11, 14, 23}));
  CHECK(files.multiply("a_f2.npy", "b_f2.npy", {"--trans-b", "--alpha", "5000"}).status == 0);
  files.check_output<Half>(halves({25000, 55000, infinity, infinity}));
  CHECK(files.multiply("a_f2.npy", "b.npy").status == 0);
  files.check_output<float>({5, 11, 14, 23});
  CHECK(files.multiply("a.npy", "b.npy", {"--type", "f16"}).status == 0);
  files.check_output<Half>(halves({5, 11, 14, 23}));
  CHECK(files.multiply("a_f2.npy", "b_f2.npy", {"--trans-b", "--alpha", "1e39"}).status == 2);
}

TEST_CASE("multiply: files of unsigned integers hold the bits of bfloat16 if the type says so") {
  using detail::Bfloat16;
  const MultiplyFiles files;
  const auto bfloats = [](const std::vector<double>& values) {
    std::vector<Bfloat16> result;
    for (const double value : values) result.emplace_back(value);
    return result;
  };
  files.directory.write("a_u2.npy", npy_matrix<Bfloat16>(2, 3, bfloats({1, 2, 3, 4, 5, 6})));
  for (const std::vector<std::string>& as_integers : {std::vector<std::string>{}, {"--type", "f32"}}) {
    const CommandResult refused = files.multiply("a_u2.npy", "b.npy", as_integers);
    CHECK(refused.status == 1);
    CHECK(
        refused.errors.find("expected '<f2', '<f4', '<f8', '|i1', '|u1', '<i4', '<c8' or '<c16'; if they are the bits "
                            "of bfloat16, give --type bf16") != std::string::npos);
  }
  CHECK(files.multiply("a_u2.npy", "b.npy", {"--type", "bf16"}).status == 0);
  files.check_output<Bfloat16>(bfloats({5, 11, 14, 23}));
  CHECK(files.multiply("a_u2.npy", "b.npy", {"--type", "bf16", "--alpha", "1000"}).status == 0);
  files.check_output<Bfloat16>(bfloats({4992, 11008, 14016, 23040}));
  files.directory.write("c_u2.npy", npy_matrix<Bfloat16>(2, 2, bfloats({1, 2, 3, 4})));
  const CommandResult added =
      files.multiply("a.npy", "b.npy", {"--type", "bf16", "--beta", "2", "--c-in", files.directory.file("c_u2.npy")});
  CHECK_MESSAGE(added.status == 0, added.errors);
  files.check_output<Bfloat16>(bfloats({7, 15, 20, 31}));
}

TEST_CASE("multiply: C may be in single precision if A and B are in half precision") {
  using detail::Half;
  const MultiplyFiles files;
  // 3 x 683 = 2049 is not a half.
  files.directory.write("a_f2.npy", npy_matrix<Half>(1, 1, {Half(683)}));
  files.directory.write("b_f2.npy", npy_matrix<Half>(1, 1, {Half(3)}));
  CHECK(files.multiply("a_f2.npy", "b_f2.npy").status == 0);
  files.check_output<Half>({Half(2048)});
  CHECK(files.multiply("a_f2.npy", "b_f2.npy", {"--c-type", "f32"}).status == 0);
  files.check_output<float>({2049});
  files.directory.write("c_f4.npy", npy_matrix<float>(1, 1, {0.0625F}));
  const CommandResult added = files.multiply(
      "a_f2.npy", "b_f2.npy", {"--c-type", "f32", "--beta", "1", "--c-in", files.directory.file("c_f4.npy"), "--json"});
  CHECK_MESSAGE(added.status == 0, added.errors);
  CHECK(added.output.find("\"type_c\":\"f32\"") != std::string::npos);
  files.check_output<float>({2049.0625F});
  CHECK(files.multiply("a_f2.npy", "b_f2.npy", {"--c-type", "f64"}).status == 1);
}

TEST_CASE("multiply: 8-bit integers have 32-bit sums, exact modulo 2^32") {
  const MultiplyFiles files;
  files.directory.write("a_i1.npy", npy_matrix<std::int8_t>(1, 2, {-128, 127}));
  files.directory.write("b_i1.npy", npy_matrix<std::int8_t>(2, 1, {-128, 127}));
  files.directory.write("a_u1.npy", npy_matrix<std::uint8_t>(1, 2, {255, 1}));
  files.directory.write("c_i4.npy", npy_matrix<std::int32_t>(1, 1, {2147483647}));
  const auto refused = [&](const std::string& a, const std::string& b, const std::vector<std::string>& more,
                           const std::string& expected) {
    const CommandResult result = files.multiply(a, b, more);
    CHECK(result.status != 0);
    CHECK_MESSAGE(result.errors.find(expected) != std::string::npos, result.errors);
  };
  const CommandResult result = files.multiply("a_i1.npy", "b_i1.npy", {"--json"});
  CHECK_MESSAGE(result.status == 0, result.errors);
  CHECK(result.output.find("\"type_c\":\"i32\"") != std::string::npos);
  files.check_output<std::int32_t>({32513});
  CHECK(files
            .multiply("a_i1.npy", "b_i1.npy",
                      {"--alpha", "-2147483648", "--beta", "1", "--c-in", files.directory.file("c_i4.npy")})
            .status == 0);
  files.check_output<std::int32_t>({-1});
  CHECK(files.multiply("a_i1.npy", "b_i1.npy", {"--type", "f32"}).status == 0);
  files.check_output<float>({32513});
  refused("a_u1.npy", "b_i1.npy", {}, "the matrices are u8 and i8, which have no common type");
  refused("a_u1.npy", "b_i1.npy", {"--type", "u8"}, "B is i8, but the product takes u8 there");
  CHECK(files.multiply("a_u1.npy", "b_i1.npy", {"--type", "f64"}).status == 0);
  files.check_output<double>({-32513});
  refused("c_i4.npy", "c_i4.npy", {}, "A and B cannot be i32");
  refused("a_i1.npy", "b_i1.npy", {"--alpha", "0.5"}, "alpha is 0.5");
  refused("a_i1.npy", "b_i1.npy", {"--alpha", "i"}, "--alpha: i has an imaginary part, but the type is i8");
  files.directory.write("b_c8.npy", npy_matrix<std::complex<float>>(2, 1, {{1, 1}, 2}));
  refused("a_i1.npy", "b_c8.npy", {"--type", "i8"}, "B is c64, but the product takes i8 there");
  refused("c_i4.npy", "b_c8.npy", {}, "the matrices are i32 and ");
  CHECK(files.multiply("a_i1.npy", "b_c8.npy").status == 0);
  files.check_output<std::complex<float>>({{126, -128}});
}

}  // namespace
}  // namespace tilewright::test
