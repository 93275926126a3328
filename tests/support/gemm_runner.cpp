#include "support/gemm_runner.hpp"

#include "support/device_under_test.hpp"
#include "support/repeat_command.hpp"
#include "support/run_report.hpp"
#include "verification/gemm/gemm_trial.hpp"

namespace tilewright::test {

std::string run_gemm_case(const GemmCase& test) {
  count_cases();
  std::string wrong;
  try {
    wrong = verification::try_gemm_case(shared_engine(), test, count_kernel);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  if (wrong.empty()) return {};
  return wrong + "\n  case: " + to_string(test) +
         "\n  repeat: " + repeat_command("TILEWRIGHT_TEST_CASE", to_string(test), "one case*");
}

}  // namespace tilewright::test
