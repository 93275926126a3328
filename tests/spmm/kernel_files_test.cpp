// Every kernel file compiles after the files that it needs, and no line is longer than 120 columns.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "spmm/program.hpp"
#include "spmm/registry.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("every kernel of spmm compiles with its own defaults, and has lines of 120 columns at most") {
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    for (const detail::SpmmVariant* variant : detail::spmm_registry()) {
      CAPTURE(variant->name);
      const std::string source = detail::kernel_source(detail::spmm_files(*variant));
      CHECK_NOTHROW(store.get(shared_context(), device, {variant->name, source, "-cl-std=CL1.2"}));
      std::istringstream lines(source);
      for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
    }
  }
}

}  // namespace tilewright::test
