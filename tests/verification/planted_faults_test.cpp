// Typical mistakes in kernels are found on every device, including PoCL, and are reported in helpful words.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tools/temporary_directory.hpp"
#include "verification/check/isolated_check.hpp"
#include "verification/check/worker_process.hpp"
#include "verification/common/guarded_pages.hpp"

namespace tilewright::test {
namespace {

// Changes one place of a kernel in a copy of cl/, and checks its variant.
verification::CheckReport check_with(const std::string& variant, const std::string& from, const std::string& to) {
  const TemporaryDirectory directory;
  const std::string kernels = directory.file("cl");
  std::filesystem::copy(TILEWRIGHT_TEST_KERNELS, kernels, std::filesystem::copy_options::recursive);
  const std::string file = kernels + "/gemm/" + variant + ".cl";
  std::ifstream input(file);
  std::string text{std::istreambuf_iterator<char>(input), {}};
  REQUIRE_MESSAGE(text.find(from) != std::string::npos, from);
  text.replace(text.find(from), from.size(), to);
  std::ofstream(file) << text;

  const ScopedEnvironment variable("TILEWRIGHT_KERNEL_DIR", kernels);
  // A sanitizer would turn the signal into an exit.
  const ScopedEnvironment for_asan("ASAN_OPTIONS", "handle_segv=0");
  const ScopedEnvironment for_tsan("TSAN_OPTIONS", "handle_segv=0");
  verification::CheckRequest request{.operation = "gemm", .variant = variant};
  request.breadth = verification::Breadth::quick;
  if (device_under_test().profile.vendor == Vendor::oclgrind)
    request.oclgrind = environment("OCL_ICD_VENDORS");
  else
    request.device = device_under_test().index();
  auto report = run_check({verification::path_of_this_program(), "--check-worker"}, request);
  for (const auto& part : report.parts) count_kernels(part.kernels);
  return report;
}

}  // namespace

TEST_SUITE("planted faults") {
  TEST_CASE("an out-of-bounds read that does not affect the result") {
    if (!verification::uses_host_memory_in_place(device_under_test().profile))
      return count_skip("reads past an edge", "kernels do not use host memory where it is");
    for (const char* const element : {"A_AT(i, k)", "B_AT(k, j)"}) {
      const auto report = check_with("naive", "real sum = 0;",
                                     std::string("real sum = 0;\n  if (") + element + " > (real)1e30) sum = 1;");
      CHECK(mentions(report.wrong, "signal 11"));
      CHECK(mentions(report.wrong, "past an edge"));
      CHECK(mentions(report.failed, "variant=naive"));
    }
  }

  TEST_CASE("a store without an edge check") {
    const auto report = check_with("naive", "if (i >= m || j >= n) return;", "");
    CHECK_FALSE(report.wrong.empty());
    CHECK(mentions(report.failed, "variant=naive"));
  }

  TEST_CASE("an epilogue of the wrong element") {
    const auto report = check_with("naive", "EPILOGUE_AT(i, j)", "EPILOGUE_AT(i, 0)");
    CHECK(mentions(report.failed, "epilogue="));
  }

  TEST_CASE("more local memory than the host file declares") {
    const auto report = check_with("local_tile", "b_tile[TILE_K * TILE_N];", "b_tile[TILE_K * TILE_N + 300];");
    if (report.wrong.empty()) return count_skip("local memory", "the driver does not tell what a kernel takes");
    CHECK(mentions(report.wrong, "local_bytes() is"));
  }

  TEST_CASE("a rule that the kernel does not enforce") {
    const auto report = check_with("register_strip", "#if TILE_M % STRIP != 0", "#if 0");
    CHECK(mentions(report.wrong, "breaks the constraint 'tile_m is a multiple of strip'"));
    CHECK(mentions(report.wrong, "add an #error to gemm/register_strip.cl"));
    CHECK(mentions(report.failed, "rules variant=register_strip"));
  }

  TEST_CASE("a rule that is missing from the host file") {
    const auto report = check_with("register_strip", "#if TILE_M % STRIP != 0", "#if TILE_M % STRIP != 0 || PAD == 2");
    CHECK(mentions(report.wrong, "pad=2"));
    CHECK(mentions(report.wrong, "add the missing constraint"));
  }

  TEST_CASE("a compilation error, with its position") {
    const auto report = check_with("naive", "real sum = 0;", "real sum = nothing_of_the_kind;");
    CHECK(mentions(report.wrong, "gemm/naive.cl:"));
    CHECK(mentions(report.wrong, "nothing_of_the_kind"));
  }
}

}  // namespace tilewright::test
