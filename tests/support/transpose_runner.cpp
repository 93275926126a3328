#include "support/transpose_runner.hpp"

#include <exception>

#include "support/device_under_test.hpp"
#include "support/repeat_command.hpp"
#include "support/run_report.hpp"
#include "verification/checked_operations.hpp"

namespace tilewright::test {

std::string run_transpose_case(const verification::TransposeCase& test) {
  count_cases();
  std::string wrong;
  try {
    const auto result = verification::checked_transpose().run(shared_engine(), to_string(test));
    wrong = result.wrong;
    for (const std::string& kernel : result.kernels) count_kernel_of(kernel);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  if (wrong.empty()) return {};
  return wrong + "\n  case: " + to_string(test) +
         "\n  repeat: " + repeat_command("TILEWRIGHT_TRANSPOSE_CASE", to_string(test), "one transposition*");
}

}  // namespace tilewright::test
