#include "options/shape.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "files/file_error.hpp"
#include "files/shapes_file.hpp"
#include "tools/temporary_directory.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

using test::TemporaryDirectory;

TEST_CASE("valid shapes are read") {
  const GemmProblem problem = parse_shape("35x8457X1760");
  CHECK(problem.m == 35);
  CHECK(problem.n == 8457);
  CHECK(problem.k == 1760);
  CHECK(flops_of(problem) == 2.0 * 35 * 8457 * 1760);
  GemmProblem complex = problem;
  complex.type = DataType::c64;
  CHECK(flops_of(complex) == 8.0 * 35 * 8457 * 1760);
}

TEST_CASE("invalid shapes, types and transposes are refused") {
  for (const std::string_view text : {"", "1", "1x2", "1x2x", "x1x2", "1x2x3x4", "1x2x3 ", " 1x2x3", "1x-2x3", "0x1x1",
                                      "1x2x3.5", "1,2,3", "99999999999999999999x1x1", "1xx2x3"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_shape(text), std::invalid_argument);
  }
  GemmProblem problem;
  for (const std::string_view text : {"", "N", "NNN", "NX", "C "}) {
    CHECK_THROWS_AS(parse_transposes(text, problem), std::invalid_argument);
  }
  for (const std::string_view text : {"", "f8", "F32", "float"})
    CHECK_THROWS_AS(parse_type(text), std::invalid_argument);
}

TEST_CASE("an order is read alone or with another size") {
  CHECK(parse_order("512") == std::pair<std::uint64_t, std::uint64_t>{512, 0});
  CHECK(parse_order("512x8") == std::pair<std::uint64_t, std::uint64_t>{512, 8});
  for (const char* const text : {"", "0", "x", "8x", "8x0", "x8", "8x8x8", "-8", "8 ", "1e3"})
    CHECK_THROWS_AS(parse_order(text), UsageError);
}

TEST_CASE("an endless or invalid table of shapes is refused before it fills the memory") {
  const TemporaryDirectory directory;
  const auto message_of = [](const std::string& path) {
    try {
      read_shapes(path, {});
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message_of("/dev/zero").find("line 1 is longer than 10000 characters") != std::string::npos);
  CHECK(message_of(directory.write("long.csv", "m,n,k\n" + std::string(20000, '1'))).find("line 2") !=
        std::string::npos);
  CHECK(message_of(directory.file("")).find("is a directory") != std::string::npos);
  CHECK(message_of(directory.file("missing")).find("No such file or directory") != std::string::npos);
  // A comment may have the maximum line length, and the last line needs no line end.
  CHECK(read_shapes(directory.write("good.csv", '#' + std::string(9999, 'x') + "\n\nm,n,k\n1,2,3"), {}).size() == 1);
}

TEST_CASE("messages about bad input stay short") {
  const std::string flood(100000, 'x');
  GemmProblem problem;
  for (const auto& parse :
       {std::function<void()>([&] { parse_shape(flood); }), std::function<void()>([&] { parse_type(flood); }),
        std::function<void()>([&] { parse_transposes(flood, problem); })}) {
    try {
      parse();
      FAIL("was read");
    } catch (const UsageError& error) {
      CHECK(std::string_view(error.what()).size() < 200);
    }
  }
}

TEST_CASE("a batch that 64 bits cannot address is refused") {
  GemmProblem problem = parse_shape("4294967296x4294967296x4294967296");
  CHECK_THROWS_AS(set_batch(problem, 2), UsageError);
  problem = parse_shape("1024x1024x1024");
  CHECK_THROWS_AS(set_batch(problem, std::uint64_t{1} << 50), UsageError);
  CHECK_THROWS_AS(set_batch(problem, 0), UsageError);
  set_batch(problem, std::uint64_t{1} << 40);
  CHECK(problem.batch.stride_a == 1024 * 1024);
}

TEST_CASE("transposes are read and named") {
  GemmProblem problem;
  for (const std::string_view text : {"NN", "NT", "TN", "TT", "CN", "TC"}) {
    parse_transposes(text, problem);
    CHECK(transposes_of(problem) == text);
  }
  parse_transposes("nt", problem);
  CHECK(transposes_of(problem) == "NT");
  CHECK(parse_type("f64") == DataType::f64);
  CHECK(parse_type("f16") == DataType::f16);
  CHECK(parse_type("bf16") == DataType::bf16);
  CHECK_THROWS_WITH_AS(parse_type("half"),
                       "unknown type 'half': expected f16, bf16, f32, f64, i8, u8, i32, c64 or c128", UsageError);
}

TEST_CASE("a table of shapes is read by column names") {
  const TemporaryDirectory directory;
  GemmProblem defaults;
  defaults.type = DataType::f64;
  parse_transposes("TT", defaults);
  const std::string path =
      directory.write("shapes.csv", "# where they are from\n\nk, m,n,trans_b,note\r\n3,1,2,N,x\n\n6,4,5,T,\n");
  const std::vector<GemmProblem> problems = read_shapes(path, defaults);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].m == 1);
  CHECK(problems[0].n == 2);
  CHECK(problems[0].k == 3);
  CHECK(problems[0].type == DataType::f64);
  CHECK(transposes_of(problems[0]) == "TN");
  CHECK(transposes_of(problems[1]) == "TT");
}

TEST_CASE("a table may give the type of C, and may start a new header") {
  const TemporaryDirectory directory;
  const std::string path = directory.write(
      "shapes.csv", "m,n,k,type\n1,2,3,f16\nm,n,k,type,type_c\n4,5,6,bf16,f32\n7,8,9,bf16,\n7,8,9,f32,f32\n");
  const std::vector<GemmProblem> problems = read_shapes(path, {});
  REQUIRE(problems.size() == 4);
  CHECK(to_string(problems[0]) == "1 x 2 x 3 f16 NN");
  CHECK(to_string(problems[1]) == "4 x 5 x 6 bf16->f32 NN");
  CHECK_FALSE(problems[2].type_c);
  CHECK_FALSE(problems[3].type_c);
}

TEST_CASE("a table names the accuracy") {
  const TemporaryDirectory directory;
  const std::string path = directory.write("shapes.csv", "m,n,k,accuracy\n1,2,3,tf32\n4,5,6,full\n");
  const std::vector<GemmProblem> problems = read_shapes(path, {});
  REQUIRE(problems.size() == 2);
  CHECK(to_string(problems[0]) == "1 x 2 x 3 f32 tf32 NN");
  CHECK(problems[1].accuracy == Accuracy::full);
}

TEST_CASE("a table gives epilogues, and their residuals form a batch as C does") {
  const TemporaryDirectory directory;
  const std::string path =
      directory.write("shapes.csv", "m,n,k,batch,epilogue\n1,2,3,1,bias_column+gelu\n4,5,6,2,residual\n7,8,9,1,\n");
  const std::vector<GemmProblem> problems = read_shapes(path, {});
  REQUIRE(problems.size() == 3);
  CHECK(to_string(problems[0]) == "1 x 2 x 3 f32 NN bias_column+gelu");
  CHECK(problems[1].epilogue == GemmEpilogue{.residual = true, .stride_residual = 20});
  CHECK(problems[2].epilogue == GemmEpilogue{});
  CHECK_THROWS(read_shapes(directory.write("bad.csv", "m,n,k,epilogue\n1,2,3,swish\n"), {}));
}

TEST_CASE("invalid tables of shapes are refused") {
  const TemporaryDirectory directory;
  const auto code_of = [&](const std::string& content) {
    try {
      read_shapes(directory.write("shapes.csv", content), {});
    } catch (const FileError& error) {
      return std::optional(error.code());
    }
    return std::optional<FileErrorCode>();
  };
  CHECK(code_of("") == FileErrorCode::missing_column);
  CHECK(code_of("m,n\n1,2\n") == FileErrorCode::missing_column);
  CHECK(code_of("m,n,k\n1,2\n") == FileErrorCode::malformed_row);
  CHECK(code_of("m,n,k\n1,2,3,4\n") == FileErrorCode::malformed_row);
  CHECK(code_of("m,n,k\n1,x,3\n") == FileErrorCode::malformed_row);
  CHECK(code_of("m,n,k,trans_a\n1,2,3,Q\n") == FileErrorCode::malformed_row);
  CHECK(code_of("m,n,k,trans_a\n1,2,3,NN\n") == FileErrorCode::malformed_row);
  CHECK_FALSE(code_of("m,n,k\n1,2,3\n"));
  try {
    read_shapes(directory.file("missing.csv"), {});
    FAIL("was read");
  } catch (const FileError& error) {
    CHECK(error.code() == FileErrorCode::cannot_open);
  }
}

TEST_CASE("tables of shapes can come from pipes, and a pipe without a writer does not block") {
  const TemporaryDirectory directory;
  const std::string pipe = directory.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(read_shapes(pipe, {}), doctest::Contains("the pipe has no writer"), FileError);
  CHECK_THROWS_AS(read_shapes("/dev/null", {}), FileError);
  CHECK_THROWS_WITH_AS(read_shapes("/dev/zero", {}), doctest::Contains("line 1 is longer than"), FileError);
  CHECK_THROWS_WITH_AS(read_shapes(directory.file(""), {}), doctest::Contains("is a directory"), FileError);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::thread writer([&] {
    for (const std::string_view part : {"m,n", ",k\n1,2", ",3\n\n4,5,6"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      CHECK(write(ends[1], part.data(), part.size()) == static_cast<ssize_t>(part.size()));
    }
    close(ends[1]);
  });
  const auto shapes = read_shapes("/dev/fd/" + std::to_string(ends[0]), {});
  writer.join();
  close(ends[0]);
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[0].k == 3);
  CHECK(shapes[1].k == 6);
}

}  // namespace
}  // namespace tilewright::tool
