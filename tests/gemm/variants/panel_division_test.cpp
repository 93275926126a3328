// How packed_panel divides products whose groups copy their panels of B, and which products these are.
#include "gemm/variants/panel_division.hpp"

#include <doctest/doctest.h>

#include <cstdint>

#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {
namespace {

using detail::CoreProduct;
using detail::gemm_variants::packed_panel_parts::divide;
using detail::gemm_variants::packed_panel_parts::PanelDivision;
using detail::gemm_variants::packed_panel_parts::Panels;

constexpr Panels copying{6, 64, 16, 1024, 1536, 64, 256, 2, 0, 2};

PanelDivision division_of(std::uint64_t m, std::uint64_t n, std::uint64_t k, unsigned units) {
  DeviceProfile device = typical_cpu();
  device.compute_units = units;
  return divide(copying, CoreProduct(detail::normalized({.m = m, .n = n, .k = k})), device);
}

TEST_SUITE("packed_panel's groups") {
  TEST_CASE("a group that copies B has one panel, and all rows if the panels occupy all compute units equally") {
    const PanelDivision whole = division_of(1024, 1024, 1024, 2);
    CHECK(whole.group_n == 64);
    CHECK(whole.groups_n == 16);
    CHECK(whole.groups_m == 1);
    CHECK(whole.group_m == 1026);  // whole blocks
    CHECK(whole.slices.count == 1);
    Panels wide = copying;
    wide.group_n = 256;
    CHECK(divide(wide, CoreProduct(detail::normalized({.m = 1024, .n = 1024, .k = 1024})), typical_cpu()).group_n ==
          64);
  }

  TEST_CASE("rows are divided where whole columns of groups would leave compute units idle") {
    CHECK(division_of(768, 704, 768, 2).groups_m == 2);  // 11 panels
    CHECK(division_of(768, 64, 768, 2).groups_m == 2);
    CHECK(division_of(768, 64, 768, 8).groups_m == 8);
    CHECK(division_of(2000, 1024, 1024, 2).groups_m == 2);  // group_m
  }

  TEST_CASE("a group keeps the sums of its blocks if k has several blocks") {
    const PanelDivision kept = division_of(1500, 1024, 1025, 2);
    CHECK(kept.groups_m == 2);
    CHECK(kept.group_m <= 6 * 170);
    CHECK(division_of(1500, 1024, 1024, 2).groups_m == 1);
  }

  TEST_CASE("B is copied by default if it is not transposed, and rows of A stay in the cache") {
    const auto pack_b = [](const DeviceProfile& device, const GemmProblem& problem) {
      return explain_gemm(device, problem, {"packed_panel", {}}).configuration["pack_b"];
    };
    CHECK(pack_b(typical_cpu(), {.m = 512, .n = 512, .k = 512}) == 2);
    CHECK(pack_b(typical_cpu(), {.m = 256, .n = 1024, .k = 1024}) == 2);
    CHECK(pack_b(typical_cpu(), {.m = 96, .n = 600, .k = 600}) == 2);
    CHECK(pack_b(typical_cpu(), {.trans_b = Transpose::yes, .m = 512, .n = 512, .k = 512}) == 1);
    CHECK(pack_b(typical_cpu(), {.m = 4096, .n = 4096, .k = 4096}) == 1);
    CHECK(pack_b(typical_cpu(), {.m = 4000, .n = 4000, .k = 100}) == 1);  // writing C dominates
    CHECK(pack_b(typical_cpu(), {.m = 200, .n = 2000, .k = 3000}) == 0);  // B is larger than caches
    CHECK(pack_b(typical_cpu(), {.m = 24, .n = 1000, .k = 1000}) == 0);
    CHECK(pack_b(typical_gpu(), {.m = 512, .n = 512, .k = 512}) == 1);
  }
}

}  // namespace
}  // namespace tilewright::test
