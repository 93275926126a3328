// Every kernel file of vectors is valid OpenCL C after the files that it needs, and its lines are short.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("every kernel of vectors compiles with its defaults, and has lines of at most 120 columns") {
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    for (const std::string_view file : {"vector/elementwise.cl", "vector/moves.cl", "vector/dot.cl", "vector/nrm2.cl",
                                        "vector/asum.cl", "vector/iamax.cl"}) {
      CAPTURE(file);
      std::vector<std::string_view> files{"common/index.cl", "common/bfloat16.cl", "common/real.cl",
                                          "vector/elements.cl", file};
      const bool reduces = file != "vector/elementwise.cl" && file != "vector/moves.cl";
      if (reduces) files.push_back("vector/reduction.cl");
      const std::string source = detail::kernel_source(files);
      const std::string options = std::string("-cl-std=CL1.2") + (file == "vector/moves.cl" ? " -DMOVED_BYTES=4" : "");
      CHECK_NOTHROW(store.get(shared_context(), device, {std::string(file), source, options}));
      std::istringstream lines(source);
      for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
    }
  }
}

}  // namespace tilewright::test
