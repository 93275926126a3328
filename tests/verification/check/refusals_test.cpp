// Finds the configurations that a kernel refuses, without compiling it.
#include "verification/check/refusals.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"

namespace tilewright::test {
namespace {

using verification::KernelForm;

const char* const source =
    "#line 1 \"a.cl\"\n"
    "/* #error in a comment\n"
    "#error and another */\n"
    "#ifndef TILE\n"
    "#define TILE 4  // #error no\n"
    "#endif\n"
    "#define ITEMS \\\n"
    "  (TILE / ITEM)\n"
    "#if TILE % 2 != 0\n"
    "#error \"odd\"\n"
    "#endif\n"
    "#if ITEM == 0\n"
    "#error \"none\"\n"
    "#endif\n"
    "#if TILE % ITEM != 0 || ITEMS > 8\n"
    "#error \"many\"\n"
    "#endif\n"
    "this is not OpenCL C\n";

std::vector<KernelForm> forms(const std::vector<std::string>& options) {
  std::vector<KernelForm> result;
  for (const std::string& option : options) result.push_back({option, "-cl-std=CL1.2 " + option});
  return result;
}

}  // namespace

TEST_SUITE("refusals") {
  TEST_CASE("directives are found without comments, each on one line") {
    const auto directives = verification::directives_of(source);
    REQUIRE(directives.size() == 13);
    CHECK(directives[0] == "#ifndef TILE");
    CHECK(directives[3].starts_with("#define ITEMS"));
    CHECK(directives[3].ends_with("(TILE / ITEM)"));
  }

  TEST_CASE("the first refused form and the first accepted form are found") {
    const cl::Context context = shared_context();
    const cl::Device device(device_under_test().id, true);
    std::string log;
    const auto refused = [&](const std::vector<std::string>& options) {
      return verification::first_refused(context, device, source, forms(options), log);
    };
    const auto accepted = [&](const std::vector<std::string>& options) {
      return verification::first_accepted(context, device, source, forms(options));
    };
    CHECK(refused({}) == 0);
    CHECK(refused({"-DITEM=1", "-DTILE=8 -DITEM=2", "-DITEM=4"}) == 3);
    CHECK(refused({"-DITEM=1", "-DTILE=8 -DITEM=2", "-DTILE=3 -DITEM=1", "-DITEM=1"}) == 2);
    CHECK(log.find("odd") != std::string::npos);
    CHECK(refused({"-DITEM=0", "-DITEM=1"}) == 0);
    CHECK(accepted({}) == 0);
    // A division by 0, after an #error or before any, does not count as accepted.
    CHECK(accepted({"-DTILE=3 -DITEM=1", "-DITEM=0", "-DTILE=64 -DITEM=4", "-DITEM=3"}) == 4);
    CHECK(accepted({"-DTILE=3 -DITEM=1", "-DITEM=0", "-DITEM=1", "-DITEM=3"}) == 2);
  }
}

}  // namespace tilewright::test
