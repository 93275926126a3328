// Linear systems, Strassen's products, and products with structured matrices pass all cases of `tilewright check`, with
// the kernels of either kind of device.
#include <doctest/doctest.h>

#include <string>

#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "verification/checked_operations.hpp"

namespace tilewright::test {
namespace {

void check_operation(const Engine& engine, const char* name) {
  using verification::Breadth;
  const verification::CheckedOperation& operation = verification::find_checked_operation(name);
  const Breadth breadth = test_level() == TestLevel::full ? Breadth::normal : Breadth::quick;
  DailyShare parts(13), cases(3);
  for (const std::string& function : operation.variants())
    for (const verification::CheckPart& part : operation.parts(engine.profile(), function, breadth)) {
      if (!parts.selects_next()) continue;
      if (!part.skipped.empty()) count_skip(function + ' ' + part.name, part.skipped);
      for (const std::string& text : part.cases) {
        if (!cases.selects_next()) continue;
        INFO(part.name << ": tilewright check --op " << name << " --case '" << text << "'");
        const verification::CaseResult result = operation.run(engine, text);
        CHECK_MESSAGE(result.wrong.empty(), result.wrong);
        count_cases();
        count_kernels({result.kernels.begin(), result.kernels.end()});
      }
    }
}

// CPU kernels need too much private memory for a GPU, so only a CPU runs both kinds. The quick level leaves the kernels
// for GPUs to the tests of each operation.
void check_with_kernels_for_gpus(const char* name, std::size_t max_items = 1024) {
  if (test_level() != TestLevel::quick && device_under_test().profile.type == DeviceType::cpu)
    check_operation(engine_with_kernels_for(DeviceType::gpu, max_items), name);
}

}  // namespace

TEST_SUITE("system checks") {
  TEST_CASE("triangular systems") {
    check_operation(shared_engine(), "triangular");
    check_with_kernels_for_gpus("triangular");
  }
  TEST_CASE("rank-k updates") { check_operation(shared_engine(), "rank_k"); }
  TEST_CASE("Cholesky") {
    check_operation(shared_engine(), "cholesky");
    check_with_kernels_for_gpus("cholesky");
  }
  TEST_CASE("LU") {
    check_operation(shared_engine(), "lu");
    // Compilers for CPUs take a minute for LU's work-groups, even for small ones.
    check_with_kernels_for_gpus("lu", 64);
  }
  TEST_CASE("QR") {
    check_operation(shared_engine(), "qr");
    check_with_kernels_for_gpus("qr", 64);
  }
  TEST_CASE("Strassen") { check_operation(shared_engine(), "strassen"); }
  TEST_CASE("symm") {
    check_operation(shared_engine(), "symm");
    check_with_kernels_for_gpus("symm");
  }
  TEST_CASE("trmm") {
    check_operation(shared_engine(), "trmm");
    check_with_kernels_for_gpus("trmm");
  }
}

}  // namespace tilewright::test
