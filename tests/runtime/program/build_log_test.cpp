// Drivers that ignore #line report positions in the concatenated source; messages give positions in its files.
#include "runtime/program/build_log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tilewright::test {

TEST_SUITE("build log") {
  const std::string source =
      "#line 1 \"common/types.cl\"\n"
      "first\n"
      "second\n"
      "\n"
      "#line 1 \"gemm/naive.cl\"\n"
      "third\n"
      "fourth\n";

  TEST_CASE("a line of the concatenated source becomes a line of a file") {
    CHECK(detail::with_source_places("input.cl:2:7: error: x", source) == "common/types.cl:1:7: error: x");
    CHECK(detail::with_source_places("error: <kernel>:7:1: x\n", source) == "error: gemm/naive.cl:2:1: x\n");
    CHECK(detail::with_source_places("a\n/tmp/0/t.cl:6:3: x", source) == "a\ngemm/naive.cl:1:3: x");
  }

  TEST_CASE("the definition of a macro keeps its file, or gets one") {
    const std::string named = "gemm/naive.cl:2:7 <Spelling=common/types.cl:2:5>: x";
    CHECK(detail::with_source_places(named, source) == named);
    CHECK(detail::with_source_places("t.cl:7:7 <Spelling=t.cl:3:5>: x", source) == named);
    const std::string pasted = "gemm/naive.cl:2:7 <Spelling=<scratch space>:2:5>: x";
    CHECK(detail::with_source_places(pasted, source) == pasted);
  }

  TEST_CASE("all other text is unchanged") {
    for (const std::string log :
         {"", "gemm/naive.cl:2:7: error: x", "/usr/include/opencl-c.h:12:3: note: y", "input.cl:", "input.cl:x:1",
          "input.cl:3", "input.cl:1:1: before the first file", "no place\n\n  int i; // a:1:2\n"})
      CHECK(detail::with_source_places(log, source) == log);
    CHECK(detail::with_source_places("input.cl:2:7: x", "no directives") == "input.cl:2:7: x");
  }
}

}  // namespace tilewright::test
