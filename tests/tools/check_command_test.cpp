// `tilewright check` as the author of a kernel calls it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"
#include "verification/check/oclgrind.hpp"

namespace tilewright::test {
namespace {

using nlohmann::json;

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A copy of the kernels with one change in a file.
std::string edited_kernels(const TemporaryDirectory& place, const std::string& from, const std::string& to,
                           const std::string& name = "gemm/naive.cl") {
  const std::string kernels = place.file("cl");
  std::filesystem::copy(TILEWRIGHT_KERNELS, kernels, std::filesystem::copy_options::recursive);
  const std::string file = kernels + '/' + name;
  std::ifstream input(file);
  std::string text{std::istreambuf_iterator<char>(input), {}};
  REQUIRE(mentions(text, from));
  text.replace(text.find(from), from.size(), to);
  std::ofstream(file) << text;
  return kernels;
}

TEST_CASE("check: a correct variant") {
  const CommandResult table = run_command({"check", "--op", "vector", "--variant", "scal", "--quick"});
  CHECK(table.status == 0);
  CHECK(mentions(table.output, "f32"));
  CHECK_FALSE(mentions(table.output, "WRONG"));

  const CommandResult result = run_command({"check", "--variant", "naive", "--quick", "--json"});
  CHECK(result.status == 0);
  std::istringstream lines(result.output);
  std::string line;
  REQUIRE(std::getline(lines, line));
  const json first = json::parse(line);
  CHECK(first.at("operation") == "gemm");
  CHECK(first.at("variant") == "naive");
  CHECK(first.at("part") == "f32");
  CHECK(first.at("verified") == true);
  CHECK(first.at("cases") > 10);
  CHECK(first.at("kernels") > 1);
}

TEST_CASE("check: operations without variants") {
  const CommandResult result = run_command({"check", "--op", "vector", "--variant", "scal", "--quick", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK(mentions(result.output, "\"variant\":\"scal\",\"part\":\"f32\""));
  CHECK_FALSE(mentions(result.output, "wrong"));
  const std::pair<const char*, const char*> cases[] = {
      {"vector",
       "call=axpby type=f32 n=33 inc=-2,1,1 offset=1,0,0 batch=1 gap=0 alpha=2 beta=-1 data=uniform exponent=0 "
       "memory=exact seed=1"},
      {"gemv",
       "call=ger variant=naive config= type=f32 layout=row trans=N size=5x3 inc=1,-2 alpha=2 beta=0 offset=0 batch=2 "
       "seed=1"},
      {"level2",
       "call=her2 variant=tiles config= type=c64 layout=column uplo=upper trans=N diag=non_unit n=9 gap=1 inc=1,-2 "
       "alpha=2-1i beta=0 offset=1 batch=2,shared memory=exact seed=1"},
      {"spmm",
       "variant=row_per_item config= type=f32 format=coo index=i64 base=1 trans=T layouts=row,column size=9x2x7 "
       "pattern=gaps mean=3 gap=0,1 offset=2 alpha=-1 beta=2 data=uniform memory=exact batch=3,A seed=1"}};
  for (const auto& [operation, text] : cases) {
    const CommandResult one = run_command({"check", "--op", operation, "--case", text});
    CHECK_MESSAGE(one.status == 0, one.errors);
    CHECK(mentions(one.output, "one case"));
  }
  const CommandResult all = run_command({"check", "--op", "vector", "--case", "call=axpby"});
  CHECK(mentions(all.errors, "the case lacks type"));
}

const std::string storage =
    " type=f32 layout=row gap=1,3 offset=5,1 batch=2 memory=page_end products=naive config= seed=7";

TEST_CASE("check: linear systems and Strassen's products, one case of each function") {
  const std::pair<const char*, std::string> cases[] = {
      {"triangular",
       "call=trsm side=right uplo=upper trans=T diag=unit size=5x9 inc=1 alpha=-1.5 data=dominant" + storage},
      {"triangular",
       "call=trsv side=left uplo=lower trans=N diag=non_unit size=9x1 inc=-2 alpha=1 data=tiny" + storage},
      {"cholesky", "call=potrf uplo=lower size=9x0 indefinite=4,nan info_gap=1 data=dominant" + storage},
      {"cholesky", "call=potrs uplo=upper size=9x3 indefinite=0 info_gap=0 data=scaled" + storage},
      {"cholesky", "call=posv uplo=upper size=9x3 indefinite=0 info_gap=0 data=huge" + storage},
      {"cholesky", "call=potri uplo=lower size=9x0 indefinite=0 info_gap=0 data=dominant" + storage},
      {"lu", "call=getrf trans=N size=9x6 nrhs=0 refinements=0 out_gap=1 data=deficient pivot=usual" + storage},
      {"lu", "call=getrs trans=T size=9x9 nrhs=2 refinements=0 out_gap=0 data=scaled pivot=usual" + storage},
      {"lu", "call=gesv trans=N size=9x9 nrhs=2 refinements=0 out_gap=0 data=any_size pivot=usual" + storage},
      {"lu", "call=getri trans=N size=9x9 nrhs=0 refinements=0 out_gap=2 data=dominant pivot=usual" + storage},
      {"lu", "call=det trans=N size=9x9 nrhs=0 refinements=0 out_gap=2 data=dominant pivot=zero" + storage},
      {"qr", "call=geqrf side=left trans=N size=9x6x6 nrhs=0 out_gap=1 data=graded" + storage},
      {"qr", "call=ormqr side=right trans=T size=4x9x6 nrhs=0 out_gap=0 data=uniform" + storage},
      {"qr", "call=orgqr side=left trans=N size=9x6x5 nrhs=0 out_gap=2 data=uniform" + storage},
      {"qr", "call=gels side=left trans=N size=6x9x6 nrhs=2 out_gap=1 data=deficient" + storage},
      {"strassen",
       "type=f32 layout=column trans=TN size=9x10x13 levels=1 alpha=2 beta=-3 gap=0,1,2 offset=3,0,1 data=integers "
       "memory=exact products=naive config= seed=2"}};
  for (const auto& [operation, text] : cases) {
    const CommandResult one = run_command({"check", "--op", operation, "--case", text});
    CHECK_MESSAGE(one.status == 0, one.errors);
    CHECK(mentions(one.output, "one case"));
  }
  const CommandResult wrong = run_command({"check", "--op", "lu", "--case", "call=trsm" + storage});
  CHECK(wrong.status == 1);
  CHECK(mentions(wrong.errors, "unknown call 'trsm'; expected one of getrf, getrs, gesv, getri, det"));
}

TEST_CASE("check: a function selects its operation and variant") {
  const CommandResult result = run_command({"check", "--op", "trsv", "--quick", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK(mentions(result.output, R"("operation":"triangular","variant":"trsv","part":"f32 forms")"));
  CHECK(mentions(result.output, R"("part":"f32 extremes")"));
  CHECK_FALSE(mentions(result.output, "wrong"));
  CHECK(mentions(run_command({"check", "--op", "trsv", "--variant", "trsm"}).errors, "leave --variant out"));
  CHECK(mentions(run_command({"check", "--op", "lu", "--variant", "potrf"}).errors, "unknown variant 'potrf'"));
  CHECK(mentions(run_command({"check", "--op", "getfr"}).errors, "did you mean getrf?"));
}

TEST_CASE("check: a failure of a linear system prints the command that repeats it") {
  const TemporaryDirectory place;
  const ScopedEnvironment kernels("TILEWRIGHT_KERNEL_DIR",
                                  edited_kernels(place, "if (pivots[i] != i) sign = -sign;", "", "lu/determinant.cl"));
  const CommandResult failed = run_command({"check", "--op", "det", "--quick", "--json"});
  CHECK(failed.status == 1);
  const json line = json::parse(failed.output.substr(0, failed.output.find('\n')));
  CHECK(line.at("part") == "f32 forms");
  CHECK(line.at("verified") == false);
  CHECK(mentions(line.at("wrong").get<std::string>(), "the determinant's sign and logarithm are"));
  CHECK(mentions(line.at("repeat").get<std::string>(), "tilewright check --op lu --device"));
  const CommandResult again = run_command({"check", "--op", "lu", "--case", line.at("case").get<std::string>()});
  CHECK(again.status == 1);
  CHECK(mentions(again.errors, line.at("wrong").get<std::string>()));
}

TEST_CASE("check: a failure prints the command that repeats it") {
  const TemporaryDirectory place;
  const ScopedEnvironment kernels("TILEWRIGHT_KERNEL_DIR",
                                  edited_kernels(place, "accum_t sum = 0;", "accum_t sum = k > 2;"));
  const CommandResult failed = run_command({"check", "--variant", "naive", "--quick"});
  CHECK(failed.status == 1);
  CHECK(mentions(failed.output, "WRONG"));
  CHECK(mentions(failed.errors, "gemm naive fails on"));
  CHECK(mentions(failed.errors, "times the error bound"));
  CHECK(mentions(failed.errors, "repeat: "));

  const json line = [] {
    const CommandResult result = run_command({"check", "--variant", "naive", "--quick", "--json"});
    return json::parse(result.output.substr(0, result.output.find('\n')));
  }();
  CHECK(line.at("verified") == false);
  CHECK(mentions(line.at("repeat").get<std::string>(), "tilewright check --op gemm --device"));
  const CommandResult again = run_command({"check", "--case", line.at("case").get<std::string>()});
  CHECK(again.status == 1);
  CHECK(mentions(again.errors, line.at("wrong").get<std::string>()));
}

TEST_CASE("check: Oclgrind finds a race that the device's execution order hides") {
  if (verification::find_oclgrind().empty()) {
    const CommandResult missing = run_command({"check", "--variant", "naive", "--oclgrind"});
    CHECK(missing.status == 1);
    CHECK(mentions(missing.errors, "Oclgrind is not installed"));
    return;
  }
  const TemporaryDirectory place;
  const ScopedEnvironment kernels("TILEWRIGHT_KERNEL_DIR", edited_kernels(place, "if (i >= m || j >= n) return;",
                                                                          "__local int seen;\n"
                                                                          "  seen = (int)get_local_id(0);\n"
                                                                          "  if (i >= m || j >= n) return;"));
  const CommandResult failed = run_command({"check", "--variant", "naive", "--oclgrind"});
  CHECK(failed.status == 1);
  CHECK(mentions(failed.errors, "data race"));
  CHECK(mentions(failed.errors, "tilewright check --op gemm --oclgrind --case 'variant=naive"));
}

TEST_CASE("check: wrong arguments") {
  const std::vector<std::vector<std::string>> wrong = {
      {"check"},
      {"check", "--variant", "nave"},
      {"check", "--variant", "naive", "--op", "gem"},
      {"check", "--variant", "naive", "--case", "variant=naive"},
      {"check", "--variant", "naive", "--oclgrind", "--device", "0:0"},
  };
  for (const auto& arguments : wrong) {
    CAPTURE(arguments.back());
    CHECK(run_command(arguments).status == 2);
  }
  CHECK(run_command({"check", "--case", "no case"}).status == 1);
  CHECK(run_command({"check", "--variant", "naive", "--device", "no such device"}).status == 1);
}

}  // namespace
}  // namespace tilewright::test
