// The time model of NVIDIA GPUs and its division of k, on a made-up device profile.
#include "gemm/variants/wave_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "selection/usable_configurations.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail::gemm_variants {
extern const GemmVariant async_tile, tensor_f64, group_reduction, team_per_product;
}

namespace tilewright::test {
namespace {

using detail::Division;
using detail::GroupTime;
using detail::Task;
using detail::TileGroups;
using detail::WholeTiles;

DeviceProfile large_gpu() {
  DeviceProfile device = typical_nvidia_gpu();
  device.architecture = "sm_90";
  device.compute_units = 132;
  device.static_local_memory_bytes = 226 << 10;
  device.fp64_tensor_cores = true;
  return device;
}

class Draw {
 public:
  std::uint64_t size(double least, double most) {
    return static_cast<std::uint64_t>(
        std::exp(std::uniform_real_distribution(std::log(least), std::log(most))(random_)));
  }
  bool coin() { return random_() % 2 == 0; }

  GemmProblem problem() {
    GemmProblem problem{.type = coin() ? DataType::f32 : DataType::f64,
                        .trans_a = coin() ? Transpose::yes : Transpose::no,
                        .trans_b = coin() ? Transpose::yes : Transpose::no,
                        .m = size(1, 5000),
                        .n = size(1, 5000),
                        .k = size(1, 50000)};
    if (size(1, 4) == 3)
      problem.batch = {size(2, 500), problem.m * problem.k, problem.k * problem.n, problem.m * problem.n};
    return detail::normalized(problem);
  }

 private:
  std::mt19937 random_{7};
};

constexpr GroupTime some_time{
    .step = 40, .alone = 60, .start = 1000, .finish = 800, .at_once = 3, .reads = 128, .read_rate = 22.4};

}  // namespace

TEST_SUITE("wave time") {
  TEST_CASE("a division covers every tile and every step of k once") {
    const DeviceProfile device = large_gpu();
    Draw draw;
    int divided = 0, left_whole = 0;
    for (int i = 0; i < 3000; ++i) {
      const GemmProblem problem = draw.problem();
      const TileGroups tiles{draw.size(1, 3000), 4096};
      const detail::DivisionRules rules{
          .step = static_cast<std::int64_t>(draw.size(1, 64)),
          .least = static_cast<std::int64_t>(draw.size(1, 300)),
          .whole = draw.coin() ? WholeTiles::always : WholeTiles::where_groups_add_slices};
      const Division division = divide(some_time, tiles, rules, problem, device);
      CAPTURE(tiles.tiles);
      CAPTURE(problem.k);
      CHECK(division.whole + division.rest == tiles.tiles);
      CHECK(division.cycles > 0);
      if (division.slices == 1) {
        CHECK(division.rest == 0);
        continue;
      }
      ++divided;
      left_whole += division.whole > 0 ? 1 : 0;
      CHECK(division.rest > 0);
      CHECK(division.length % static_cast<std::uint64_t>(rules.step) == 0);
      CHECK(division.slices * division.length >= problem.k);
      CHECK((division.slices - 1) * division.length < problem.k);
      CHECK(division.length >= static_cast<std::uint64_t>(rules.least));
      if (division.whole > 0) CHECK(problem.batch.count == 1);
      if (division.whole > 0 && rules.whole == WholeTiles::where_groups_add_slices) CHECK(division.by_groups);
      if (division.by_groups)
        CHECK(detail::last_group_can_add(problem, device, division.slices, {division.rest, tiles.sums}));
    }
    CHECK(divided > 100);
    CHECK(left_whole > 10);
  }

  TEST_CASE("k is divided where the tiles leave most of the device idle and division is allowed") {
    const DeviceProfile device = large_gpu();
    const GemmProblem deep = detail::normalized({.m = 64, .n = 64, .k = 20000});
    CHECK(divide(some_time, {1, 4096}, {.step = 16, .least = 48}, deep, device).slices > 8);
    CHECK(divide(some_time, {1, 4096}, {.step = 16, .least = 0}, deep, device).slices == 1);
    const GemmProblem square = detail::normalized({.m = 8192, .n = 8192, .k = 8192});
    CHECK(divide(some_time, {16384, 4096}, {.step = 16, .least = 48}, square, device).slices == 1);
  }

  TEST_CASE("the last group adds up few slices; a separate launch adds up many") {
    const DeviceProfile device = large_gpu();
    const GemmProblem problem = detail::normalized({.m = 64, .n = 64, .k = 20000});
    CHECK(detail::last_group_can_add(problem, device, 64, {10, 4096}));
    CHECK_FALSE(detail::last_group_can_add(problem, device, 65, {10, 4096}));
    CHECK_FALSE(detail::last_group_can_add(problem, device, 2, {detail::max_tickets + 1, 1024}));
    CHECK_FALSE(detail::last_group_can_add(problem, device, 1, {10, 4096}));
    CHECK(detail::last_group_should_add(problem, device, 16, {10, 4096}));
    CHECK_FALSE(detail::last_group_should_add(problem, device, 17, {10, 4096}));
    DeviceProfile other = device;
    other.vendor = Vendor::amd;
    CHECK_FALSE(detail::last_group_can_add(problem, other, 16, {10, 4096}));
  }

  TEST_CASE("the time model decides whether a separate launch adds up the slices") {
    const DeviceProfile device = large_gpu();
    const GemmProblem problem = detail::normalized({.m = 64, .n = 64, .k = 20000});
    GroupTime time = some_time;
    const auto by_groups = [&] {
      return divide(time, {1, 4096}, {.step = 16, .least = 4000}, problem, device).by_groups;
    };
    CHECK(by_groups());
    time.launches.rate_of_group = 0.1;
    CHECK_FALSE(by_groups());
    const detail::DivisionRules by_launch{.step = 16, .least = 4000, .groups_may_add = false};
    CHECK_FALSE(divide(some_time, {1, 4096}, by_launch, problem, device).by_groups);
  }

  TEST_CASE("tiles that remain after whole rounds of the compute units are divided") {
    const DeviceProfile device = large_gpu();
    const GemmProblem problem = detail::normalized({.m = 64, .n = 64, .k = 2000});
    GroupTime time = some_time;
    time.alone = time.step;
    for (const std::uint64_t even : {std::uint64_t{132}, std::uint64_t{264}}) {
      const Division division =
          divide(time, {even + 10, 4096}, {.step = 16, .least = 48, .whole = WholeTiles::always}, problem, device);
      CHECK(division.whole == even);
      CHECK(division.slices > 1);
      CHECK(division.rest * division.slices < 132);
    }
  }

  TEST_CASE("no division takes fewer cycles than its lower bound") {
    const DeviceProfile device = large_gpu();
    Draw draw;
    for (int i = 0; i < 5000; ++i) {
      const GemmProblem problem = draw.problem();
      GroupTime time = some_time;
      time.step = static_cast<double>(draw.size(5, 300));
      time.alone = static_cast<double>(draw.size(5, 300));
      time.at_once = static_cast<double>(draw.size(1, 8));
      time.warps = static_cast<double>(draw.size(1, 9));
      time.finish = static_cast<double>(draw.size(1, 9000));
      time.launches.rate_of_group = static_cast<double>(draw.size(1, 100));
      const TileGroups tiles{draw.size(1, 3000), draw.size(256, 32768)};
      const WholeTiles kinds[] = {WholeTiles::never, WholeTiles::where_groups_add_slices, WholeTiles::always};
      const detail::DivisionRules rules{.step = static_cast<std::int64_t>(draw.size(1, 64)),
                                        .least = static_cast<std::int64_t>(draw.size(1, 300)) - 1,
                                        .whole = kinds[draw.size(0.6, 2.9)],
                                        .groups_may_add = draw.coin()};
      CHECK(work_of(time, tiles, rules, Task(problem, device)).least <=
            divide(time, tiles, rules, problem, device).cycles * (1 + 1e-12));
    }
  }

  TEST_CASE("the fastest candidates are found without evaluating those with slow bounds") {
    const std::vector<double> cycles{5, 3, 9, 3, 4, 8}, bounds{4, 2, 8, 1, 4, 0};
    int asked = 0;
    const auto fastest = detail::fastest_of(
        cycles.size(), 3, [&](std::size_t i) { return bounds[i]; },
        [&](std::size_t i) {
          ++asked;
          return cycles[i];
        });
    CHECK(fastest == std::vector<std::size_t>{1, 3, 4});
    CHECK(asked == 5);
    CHECK(detail::fastest_of(
              2, 3, [](std::size_t) { return 0.0; }, [](std::size_t i) { return static_cast<double>(i); })
              .size() == 2);
  }

  TEST_CASE("the default variant and configuration have the least expected time") {
    const DeviceProfile device = large_gpu();
    Draw draw;
    std::set<std::string> seen;
    for (int i = 0; i < 300; ++i) {
      const GemmProblem problem = draw.problem();
      const Explanation chosen = explain_gemm(device, problem);
      seen.insert(chosen.variant);
      const auto& variant = detail::find_variant<GemmProblem>(chosen.variant);
      const double least = variant.execution(values_of(variant, chosen.configuration), problem, device).cycles;
      REQUIRE(least > 0);
      for (const detail::GemmVariant* const other :
           {&detail::gemm_variants::async_tile, &detail::gemm_variants::tensor_f64,
            &detail::gemm_variants::group_reduction, &detail::gemm_variants::team_per_product}) {
        if (!detail::why_declined(*other, problem, device).empty()) continue;
        std::string broken;
        const auto usable = detail::first_usable_configuration(*other, problem, device, broken);
        if (!usable || usable->execution.cycles == 0) continue;
        CAPTURE(other->name);
        CAPTURE(to_string(configuration_of(*other, usable->values)));
        if (&variant != other) CHECK(usable->execution.cycles >= least);
      }
    }
    CHECK(seen == std::set<std::string>{"async_tile", "tensor_f64", "group_reduction", "team_per_product"});
  }

  TEST_CASE("one row of 16-bit elements times rows along k reads vectors of 16 bytes, if the rows have whole ones") {
    const auto vector_for = [](std::uint64_t ldb) {
      const GemmProblem row{
          .type = DataType::bf16, .trans_b = Transpose::yes, .m = 1, .n = 4096, .k = 11008, .ldb = ldb};
      return explain_gemm(typical_hopper(), row, {"group_reduction", {}}).configuration["vector"];
    };
    CHECK(vector_for(11008) == 8);
    CHECK(vector_for(11012) == 4);
  }

  TEST_CASE("the launches and workspaces of a divided product match each other") {
    const DeviceProfile device = large_gpu();
    Draw draw;
    int by_groups = 0, by_launch = 0;
    for (int i = 0; i < 500; ++i) {
      const GemmProblem problem = draw.problem();
      const Explanation chosen = explain_gemm(device, problem);
      const auto& variant = detail::find_variant<GemmProblem>(chosen.variant);
      const auto [launches, workspaces, cycles] =
          variant.execution(values_of(variant, chosen.configuration), problem, device);
      const bool tickets = std::any_of(workspaces.begin(), workspaces.end(), [](const detail::Workspace& workspace) {
        return workspace.kind == detail::Workspace::Kind::tickets;
      });
      CHECK(launches.size() == (workspaces.empty() || tickets ? 1 : 2));
      by_groups += tickets ? 1 : 0;
      by_launch += launches.size() == 2 ? 1 : 0;
      for (const detail::Workspace& workspace : workspaces)
        if (workspace.kind == detail::Workspace::Kind::tickets) CHECK(workspace.bytes <= 4 * detail::max_tickets);
    }
    CHECK(by_groups > 20);
    CHECK(by_launch > 5);
  }
}

}  // namespace tilewright::test
