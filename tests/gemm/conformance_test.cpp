// Every variant fulfils the whole BLAS contract: C = alpha op(A) op(B) + beta C. Sizes, layouts, transposes, leading
// dimensions, offsets and scalars vary. Results are within the error bound, and no other memory is written. The facts
// in each variant's host file must hold for its kernel. `tilewright check` runs the same checks.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/repeat_command.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm_choice.hpp"
#include "verification/check/isolated_check.hpp"
#include "verification/check/worker_process.hpp"
#include "verification/checked_operations.hpp"

namespace tilewright::test {
namespace {

constexpr const char* operation = "gemm";

// Returns the types under test that the variant computes, or its first type if it computes none of them.
std::vector<std::string> types_of(const std::string& variant) {
  std::vector<std::string> types = types_under_test();
  if (types.empty()) return types;
  const auto parts =
      verification::find_checked_operation(operation).parts(device_under_test().profile, variant, test_level());
  std::erase_if(types, [&](const std::string& type) {
    return std::none_of(parts.begin(), parts.end(), [&](const auto& part) { return part.name == type; });
  });
  if (types.empty()) types.push_back(parts.front().name);
  return types;
}

verification::CheckRequest request_for(const std::string& variant, const std::vector<std::string>& types) {
  const Device& device = device_under_test();
  verification::CheckRequest request{
      .operation = operation, .variant = variant, .breadth = test_level(), .parts = types};
  if (device.profile.vendor == Vendor::oclgrind)
    request.oclgrind = environment("OCL_ICD_VENDORS");
  else
    request.device = device.index();
  return request;
}

// Runs in its own process, which device_main.cpp starts from this program.
void check_types(const std::string& variant, const std::vector<std::string>& types) {
  verification::CheckLimits limits;
  if (device_under_test().profile.vendor == Vendor::oclgrind) limits.busy_seconds *= 10;
  const verification::CheckReport report =
      run_check({verification::path_of_this_program(), "--check-worker"}, request_for(variant, types), limits);
  for (const verification::CheckedPart& part : report.parts) {
    const std::string name = variant + ' ' + part.name;
    count_cases(part.cases);
    count_kernels(part.kernels);
    if (!part.skipped.empty()) count_skip(name, part.skipped);
    std::cout << "conformance of " << name << ": " << part.seconds << " s" << std::endl;
  }
  CHECK_MESSAGE(report.wrong.empty(), report.wrong, "\n  case: ", report.failed,
                "\n  repeat: ", repeat_command("TILEWRIGHT_TEST_CASE", report.failed, "one case*"));
}

// At the quick level PoCL's optimizer compiles the first type of a third of the variants, because the other types run
// the same code. It takes four times as long as compiling without it.
void check_variant(const std::string& variant) {
  std::vector<std::string> types = types_of(variant);
  if (test_level() != TestLevel::quick || types.empty()) return check_types(variant, types);
  DailyShare share(3);
  bool is_optimized = false;
  for (const VariantInfo& other : gemm_variants()) {
    const bool is_selected = share.selects_next();
    if (other.name == variant) is_optimized = is_selected;
  }
  if (is_optimized) {
    check_types(variant, {types.front()});
    types.erase(types.begin());
  }
  const ScopedEnvironment unoptimized("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable");
  if (!types.empty()) check_types(variant, types);
}

}  // namespace

TEST_SUITE("conformance") {
  TEST_CASE("one case from TILEWRIGHT_TEST_CASE") {
    const std::string text = environment("TILEWRIGHT_TEST_CASE");
    if (text.empty()) return;
    count_cases(1);
    const auto result = verification::find_checked_operation(operation).run(shared_engine(), text);
    count_kernels({result.kernels.begin(), result.kernels.end()});
    CHECK_MESSAGE(result.wrong.empty(), result.wrong);
  }

  TEST_CASE("every variant conforms") {
    if (!environment("TILEWRIGHT_TEST_CASE").empty()) return;
    for (const VariantInfo& variant : variants_under_test()) check_variant(variant.name);
  }
}

}  // namespace tilewright::test
