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

  TEST_CASE("a macro that the source does not use is found") {
    const auto unused = [](const std::string& options) {
      return verification::unused_macro(source, forms({"-DTILE=4", options}));
    };
    CHECK(unused("-cl-std=CL1.2 -DTILE=4 -DITEM=1") == "");
    CHECK(unused("-DTILE=4 -DITEMS_=1") == "ITEMS_");
    CHECK(unused("-DIT -DITEM=1") == "IT");
    CHECK(unused("-Derror=1") == "error");
    CHECK(unused("-DTILE=4 -Danother=1") == "another");
    CHECK(verification::unused_macro("#ifndef X  // X\n#define X 1\n#endif\nint y; /* X */\n", forms({"-DX=2"})) ==
          "X");
    CHECK(verification::unused_macro("#define Y(a) a * X\n", forms({"-DX=2 -DY=1"})) == "Y");
    CHECK(verification::unused_macro("#if X > 2\n#endif\n", forms({"-DX=2"})) == "");
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
    CHECK_MESSAGE(log.find("a.cl:9:") != std::string::npos, log);
    CHECK(refused({"-DITEM=0", "-DITEM=1"}) == 0);
    CHECK(accepted({}) == 0);
    // A division by 0, after an #error or before any, does not count as accepted.
    CHECK(accepted({"-DTILE=3 -DITEM=1", "-DITEM=0", "-DTILE=64 -DITEM=4", "-DITEM=3"}) == 4);
    CHECK(accepted({"-DTILE=3 -DITEM=1", "-DITEM=0", "-DITEM=1", "-DITEM=3"}) == 2);
  }
}

}  // namespace tilewright::test
