// Every operation of the library has a checker and a benchmark.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "benchmarks/benchmark.hpp"
#include "verification/checked_operations.hpp"

namespace tilewright::test {

TEST_CASE("every operation and function that is checked can be measured") {
  const std::vector<std::string> measured = tool::benchmark_names();
  // Strassen's method is measured by `bench --op gemm --algorithm strassen`. A trsv is the trsm of one column. The
  // determinant follows a factorisation, which takes the time.
  const std::set<std::string> others{"strassen", "trsv", "det"};
  for (const verification::CheckedOperation& operation : verification::checked_operations()) {
    std::vector<std::string> names{std::string(operation.name)};
    // `bench --op vector` measures all functions on vectors.
    if (operation.has_functions && operation.name != std::string("vector")) names = operation.variants();
    for (const std::string& name : names) {
      CAPTURE(name);
      CHECK((others.contains(name) || std::find(measured.begin(), measured.end(), name) != measured.end()));
    }
  }
}

}  // namespace tilewright::test
