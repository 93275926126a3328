// `tilewright bench` for factorisations, solutions and triangular systems.
#include <doctest/doctest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "compare/lapack/lapack_check.hpp"
#include "compare/lapack/lapack_contender.hpp"
#include "kernels/element_type.hpp"
#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/daily_share.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {
namespace {

using nlohmann::json;

CommandResult run_bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"bench", "--runs", "1", "--op"});
  return run_command(arguments);
}

std::vector<json> rows_of_bench(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const CommandResult result = run_bench(std::move(arguments));
  CHECK_MESSAGE(result.status == 0, result.errors);
  std::vector<json> rows;
  std::istringstream stream(result.output);
  for (std::string line; std::getline(stream, line);) rows.push_back(json::parse(line));
  for (const json& row : rows) {
    CAPTURE(row.dump());
    CHECK(row.at("verified") == true);
    CHECK(row.at("error_over_bound") <= 1);
    CHECK(row.at("seconds") > 0);
    CHECK(row.at("gflops") > 0);
    CHECK(row.at("first_call_seconds") > 0);
    CHECK_FALSE(row.at("method").get<std::string>().empty());
    CHECK(row.at("device").is_string());
  }
  return rows;
}

void refuse(std::vector<std::string> arguments, const std::string& expected) {
  const CommandResult result = run_bench(std::move(arguments));
  CHECK_MESSAGE(result.errors.find(expected) != std::string::npos, result.errors);
  CHECK(result.status == 2);
  CHECK(result.output.empty());
}

}  // namespace

TEST_CASE("bench measures and verifies every function of LAPACK") {
  for (const tool::LapackOperation& operation : tool::lapack_operations()) {
    const std::string name(operation.name), type = operation.has_real() ? "f32" : "c64";
    const std::vector<json> rows = rows_of_bench({name, "--shape", "5", "70", "--variant", "naive", "--type", type});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].at("operation") == name);
    CHECK(rows[1].at("n") == 70);
    CHECK(rows[1].at("type") == type);
    CHECK(rows[1].at("batch") == 1);
    const bool is_blas = name.ends_with("sm") || name.ends_with("mm"), has_side = is_blas || name == "ormqr";
    const bool has_nrhs = name.ends_with("rs") || name.ends_with("sv") || has_side || name == "gels";
    CHECK(rows[1].contains("nrhs") == has_nrhs);
    if (has_nrhs) CHECK(rows[1].at("nrhs") == (has_side ? 70 : 1));
    CHECK(rows[1].contains("side") == has_side);
    CHECK(rows[1].contains("uplo") == (name.starts_with("po") || is_blas));
  }
}

TEST_CASE("bench counts four times as many operations for complex numbers, in every form") {
  DailyShare share(5);
  for (const tool::LapackOperation& operation : tool::lapack_operations())
    for (const std::string side : {"left", "right"})
      for (const std::string uplo : {"lower", "upper"})
        for (const std::string trans : {"N", "T", "C"}) {
          std::vector<std::string> call{
              std::string(operation.name), "--shape", "37", "--type", "c64", "--variant", "naive"};
          if ((side == "right" && !operation.has_side()) || (uplo == "upper" && !operation.has_uplo()) ||
              (trans != "N" && !operation.has_trans()) || (trans == "T" && operation.is_orthogonal()))
            continue;
          if (!share.selects_next()) continue;
          if (operation.has_side()) call.insert(call.end(), {"--side", side});
          if (operation.has_uplo()) call.insert(call.end(), {"--uplo", uplo});
          if (trans != "N") call.insert(call.end(), {"--trans", trans});
          CHECK(rows_of_bench(call).at(0).at("type") == "c64");
        }
  tool::LapackProblem problem{.operation = tool::find_lapack_operation("getrf"), .m = 30, .n = 30};
  const double real = problem.flops();
  problem.type = DataType::c128;
  CHECK(problem.flops() == 4 * real);
  refuse({"hemm", "--shape", "8"}, "the type is f32, but --op hemm takes c64 and c128");
  refuse({"trsm", "--shape", "8", "--trans", "C"}, "takes N and T");
  refuse({"ormqr", "--shape", "8", "--trans", "T", "--type", "c64"}, "takes N, or C for the conjugate transpose");
}

TEST_CASE("bench measures uses of QR factors and least squares of every shape, and OpenBLAS agrees") {
  const bool has_openblas = run_bench({"getrf", "--shape", "8", "--against", "openblas"}).status == 0;
  DailyShare share(3);
  const auto measure = [&](const std::string& name, const std::string& shape, const std::string& type,
                           std::vector<std::string> more) {
    if (!share.selects_next()) return;
    more.insert(more.begin(), {name, "--shape", shape, "--type", type, "--batch", "2", "--variant", "naive"});
    if (has_openblas) more.insert(more.end(), {"--against", "openblas"});
    const json row = rows_of_bench(more).at(0);
    CHECK(row.at("m") == std::stoi(shape));
    if (has_openblas) CHECK_MESSAGE(row.at("against").at("openblas").at("verified") == true, row.dump());
  };
  for (const std::string type : {"f32", "c64"}) {
    const std::string transposed = type == "f32" ? "T" : "C";
    measure("orgqr", "45x20", type, {});
    for (const std::string trans : {"N", transposed.c_str()}) {
      for (const std::string side : {"left", "right"})
        measure("ormqr", "40x23", type, {"--nrhs", "7", "--side", side, "--trans", trans});
      for (const std::string shape : {"50x20", "20x50", "25x25"})
        measure("gels", shape, type, {"--nrhs", "3", "--trans", trans});
    }
  }
  CHECK(tool::LapackProblem{.operation = tool::find_lapack_operation("gels"), .m = 10, .n = 100, .nrhs = 1}.order() ==
        100);
  refuse({"orgqr", "--shape", "20x30"}, "takes MxN with at most M reflectors");
  refuse({"ormqr", "--shape", "20x30"}, "takes MxN with at most M reflectors");
  refuse({"orgqr", "--shape", "20", "--nrhs", "2"}, "not for --op orgqr");
}

TEST_CASE("the checks of uses of QR factors and of least squares find wrong results") {
  const auto find_error = [](const char* name, std::uint64_t m, std::uint64_t n, Transpose trans, Side side) {
    const tool::LapackOperation* const operation = tool::find_lapack_operation(name);
    const tool::LapackProblem problem{.operation = operation,
                                      .type = DataType::f32,
                                      .m = m,
                                      .n = n,
                                      .nrhs = operation->solves ? 2U : 0U,
                                      .side = side,
                                      .trans = trans};
    CAPTURE(to_string(problem));
    const tool::Session session("");
    const tool::LapackData data = tool::random_lapack_data(problem);
    const tool::LapackBuffers buffers(session, problem, data);
    const tool::TilewrightCall call = tool::tilewright_lapack_call(buffers, {"naive", {}});
    call.call();
    tool::LapackData result = buffers.contender("tilewright", call.call).result();
    CHECK(tool::check_lapack(problem, data, result).wrong.empty());
    // The first element belongs to X, the last ones may not.
    auto& written = operation->solves ? result.b : result.a;
    float first = 0;
    std::memcpy(&first, written.data(), sizeof first);
    first = first * 1.1F + 0.01F;
    std::memcpy(written.data(), &first, sizeof first);
    CHECK_FALSE(tool::check_lapack(problem, data, result).wrong.empty());
  };
  find_error("orgqr", 30, 20, Transpose::no, Side::left);
  find_error("ormqr", 30, 20, Transpose::yes, Side::left);
  find_error("ormqr", 30, 20, Transpose::no, Side::right);
  find_error("gels", 30, 20, Transpose::no, Side::left);
  find_error("gels", 20, 30, Transpose::no, Side::left);
  find_error("gels", 30, 20, Transpose::yes, Side::left);
}

TEST_CASE("bench takes the forms and the batches of functions of LAPACK") {
  const json rectangle = rows_of_bench({"getrf", "--shape", "30x20", "--batch", "3"}).at(0);
  CHECK(rectangle.at("m") == 30);
  CHECK(rectangle.at("n") == 20);
  CHECK(rectangle.at("batch") == 3);
  const json transposed = rows_of_bench({"getrs", "--shape", "20", "--nrhs", "3", "--trans", "T"}).at(0);
  CHECK(transposed.at("nrhs") == 3);
  CHECK(transposed.at("trans") == "T");
  CHECK(rows_of_bench({"posv", "--shape", "20x3", "--uplo", "upper", "--batch", "2"}).at(0).at("uplo") == "upper");
  const json triangle = rows_of_bench({"trsm", "--shape", "20x3", "--side", "right", "--uplo", "upper", "--trans", "T",
                                       "--diag", "unit", "--batch", "2"})
                            .at(0);
  CHECK(triangle.at("nrhs") == 3);
  CHECK(triangle.at("side") == "right");
  CHECK(triangle.at("diag") == "unit");
  for (const std::string name : {"trmm", "symm"}) {
    std::vector<std::string> call{name, "--shape", "20x3", "--side", "right", "--uplo", "upper", "--batch", "2"};
    if (name == "trmm") call.insert(call.end(), {"--trans", "T", "--diag", "unit"});
    CHECK(rows_of_bench(call).at(0).at("verified") == true);
  }
}

TEST_CASE("bench names the products between the blocks of a factorisation") {
  const json row = rows_of_bench({"potrf", "--shape", "300", "--variant", "naive"}).at(0);
  REQUIRE_FALSE(row.at("products").empty());
  for (const json& product : row.at("products")) {
    CHECK(product.at("variant") == "naive");
    CHECK(product.at("problem").get<std::string>().starts_with("gemm f32 "));
    CHECK_FALSE(product.at("configuration").get<std::string>().empty());
  }
  const CommandResult table = run_bench({"potrf", "--shape", "300", "--variant", "naive"});
  CHECK(table.output.find("potrf 300 f32 lower") != std::string::npos);
  CHECK(table.output.find("naive") != std::string::npos);
  CHECK(table.output.find("diagonal blocks") != std::string::npos);
}

TEST_CASE("bench compares functions of LAPACK with other libraries, or names the missing package") {
  for (const std::string library : {"openblas", "clblast"}) {
    const CommandResult table = run_bench({"getrf", "--shape", "8", "--against", library});
    if (table.status != 0) {
      CHECK(table.errors.find("install the package lib" + library + "-dev") != std::string::npos);
      continue;
    }
    CHECK((table.output.find("\nOpenBLAS  ") != std::string::npos) == (library == "openblas"));
    std::size_t turn = test_seed();
    DailyShare share(3);
    for (const tool::LapackOperation& operation : tool::lapack_operations()) {
      // At the quick level each selected function has one of its types.
      std::vector<std::string> types{"f32", "f64", "c64", "c128"};
      if (!operation.has_real()) types.erase(types.begin(), types.begin() + 2);
      if (test_level() == TestLevel::quick) types = {types[turn++ % types.size()]};
      if (!share.selects_next()) continue;
      for (const std::string& type : types) {
        const std::string name(operation.name);
        CAPTURE(name);
        if (((type == "f64" || type == "c128") && !pick_device().profile.fp64) ||
            (library == "clblast" && (operation.is_general() || name.starts_with("po"))))
          continue;
        const json row =
            rows_of_bench({name, "--shape", "40", "--type", type, "--batch", "2", "--against", library}).at(0);
        const json& against = row.at("against").at(library);
        CHECK(against.at("verified") == true);
        CHECK(against.at("ratio").get<double>() ==
              doctest::Approx(against.at("seconds").get<double>() / row.at("seconds").get<double>()));
        CHECK(against.contains("kernels") == (library == "openblas"));
      }
    }
  }
  const json row = rows_of_bench({"getrf", "--shape", "8"}).at(0);
  CHECK(row.at("against").empty());
}

TEST_CASE("each call of bench has the same operands") {
  const tool::Session session("");
  for (const tool::LapackOperation& operation : tool::lapack_operations()) {
    const tool::LapackProblem problem{.operation = &operation,
                                      .type = operation.has_real() ? DataType::f32 : DataType::c64,
                                      .m = 70,
                                      .n = 70,
                                      .nrhs = operation.solves ? 3U : 0U,
                                      .batch = 2};
    CAPTURE(to_string(problem));
    const tool::LapackData data = tool::random_lapack_data(problem);
    const tool::LapackBuffers buffers(session, problem, data);
    const tool::TilewrightCall own = tool::tilewright_lapack_call(buffers, {"naive", {}});
    std::vector<tool::LapackContender> contenders{buffers.contender("tilewright", own.call)};
    if (const auto openblas = tool::openblas_lapack_contender(problem, data)) contenders.push_back(*openblas);
    for (const tool::LapackContender& contender : contenders)
      for (int call = 0; call < 2; ++call) {
        contender.restore();
        contender.call();
        const tool::Verdict verdict = tool::check_lapack(problem, data, contender.result());
        CHECK_MESSAGE(verdict.wrong.empty(), contender.name << ", call " << call << ": " << verdict.wrong);
      }
  }
}

TEST_CASE("pivots and infos are those of OpenBLAS, for complex matrices too") {
  const tool::Session session("");
  for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128}) {
    if (size_of(detail::part_of(type)) == 8 && !pick_device().profile.fp64) continue;
    const tool::LapackProblem problem{
        .operation = tool::find_lapack_operation("getrf"), .type = type, .m = 90, .n = 70, .batch = 3};
    CAPTURE(to_string(problem));
    const tool::LapackData data = tool::random_lapack_data(problem);
    const auto openblas = tool::openblas_lapack_contender(problem, data);
    if (!openblas) return;
    const tool::LapackBuffers buffers(session, problem, data);
    const tool::TilewrightCall call = tool::tilewright_lapack_call(buffers, {"naive", {}});
    const tool::LapackContender own = buffers.contender("tilewright", call.call);
    own.call();
    openblas->call();
    CHECK(own.result().pivots == openblas->result().pivots);
    CHECK(own.result().info == openblas->result().info);
  }
}

TEST_CASE("bench refuses options that a function of LAPACK does not have") {
  refuse({"getrf"}, "give --shape");
  refuse({"getrf", "--shape", "8x8x8"}, "expected N or two sizes");
  refuse({"potrf", "--shape", "8x8"}, "takes the order N of a matrix");
  refuse({"gesv", "--shape", "8x3", "--nrhs", "3"}, "leave out --nrhs");
  refuse({"getrf", "--shape", "8", "--nrhs", "3"},
         "--nrhs is for --op getrs, gesv, potrs, posv, ormqr, gels, trsm, trmm, symm and hemm, not for --op getrf");
  refuse({"gesv", "--shape", "8", "--uplo", "upper"}, "--uplo is for --op potrf");
  refuse({"potrf", "--shape", "8", "--side", "left"}, "--side is for --op ormqr, trsm");
  refuse({"potrf", "--shape", "8", "--diag", "unit"}, "--diag is for --op trsm");
  refuse({"potrs", "--shape", "8", "--trans", "T"}, "--trans is not for --op potrs");
  refuse({"trsm", "--shape", "8", "--trans", "TN"}, "takes N and T");
  refuse({"symm", "--shape", "8", "--trans", "T"}, "--trans is not for --op symm");
  refuse({"symm", "--shape", "8", "--diag", "unit"}, "--diag is for --op trsm and trmm, not for --op symm");
  refuse({"getrf", "--shape", "8", "--type", "f16"}, "takes f32, f64, c64 and c128");
  refuse({"getrf", "--shape", "8", "--summary", "--against", "openblas"}, "--summary");
  refuse({"getrf", "--shape", "8", "--name", "dot"}, "--name is for --op vector alone");
  refuse({"getrf", "--shape", "8", "--variant", "naiv"}, "did you mean naive?");
  refuse({"getrf", "--shape", "8", "--in-place"}, "--in-place is for --op transpose alone");
  refuse({"gemm", "--shape", "8x8x8", "--uplo", "upper"}, "not for --op gemm");
  refuse({"vector", "--shape", "8", "--nrhs", "3"}, "not for --op vector");
}

TEST_CASE("bench of functions of LAPACK continues after a shape that fails") {
  const CommandResult result = run_bench({"getrf", "--shape", "4000000000", "8", "--json"});
  CHECK(result.status == 1);
  CHECK(result.errors.find("getrf 4000000000 x 4000000000 f32: ") != std::string::npos);
  CHECK(json::parse(result.output).at("n") == 8);
}

}  // namespace tilewright::test
