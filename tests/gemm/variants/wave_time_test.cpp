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
extern const GemmVariant async_tile, tensor_f64, tensor_core, tensor_warpgroup, group_reduction, team_per_product;
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
  device.static_local_memory_bytes = 224 << 10;
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

  TEST_CASE("kernels without boxes leave registers for all groups of a compute unit") {
    DeviceProfile device = large_gpu();
    device.tensor_cores = device.warpgroup_tensor_cores = device.tensor_maps = true;
    const auto option = [&](std::uint64_t lda, std::int64_t tile_m, std::int64_t tile_n, std::int64_t stages) {
      const GemmProblem problem = detail::normalized({.type = DataType::f16, .m = 500, .n = 600, .k = 700, .lda = lda});
      const auto& variant = detail::gemm_variants::tensor_warpgroup;
      Configuration choice = configuration_of(variant, variant.preferences(problem, device).front());
      choice.merge({{"tile_m", tile_m}, {"tile_n", tile_n}, {"stages", stages}, {"slice_k", 0}, {"align", 0}});
      const std::string options =
          variant.execution(values_of(variant, choice), problem, device).launches.back().defines;
      const std::size_t at = options.find("UNIT_GROUPS=");
      return at == std::string::npos ? std::string() : options.substr(at, std::string_view("UNIT_GROUPS=4").size());
    };
    CHECK(option(701, 128, 128, 3) == "UNIT_GROUPS=2");  // by registers
    CHECK(option(701, 64, 128, 2) == "UNIT_GROUPS=4");
    CHECK(option(701, 64, 128, 4) == "UNIT_GROUPS=2");  // by local memory
    CHECK(option(701, 128, 256, 4).empty());            // one
    CHECK(option(704, 128, 128, 3).empty());            // boxes
  }

  TEST_CASE("boxes of few rows have no more lines than the matrix, but whole patterns of eight") {
    DeviceProfile device = large_gpu();
    device.tensor_cores = device.warpgroup_tensor_cores = device.tensor_maps = true;
    const auto boxes = [&](GemmProblem problem, std::int64_t tile_m = 64) {
      problem = detail::normalized(problem);
      const auto& variant = detail::gemm_variants::tensor_warpgroup;
      Configuration choice = configuration_of(variant, variant.preferences(problem, device).front());
      choice.merge({{"tile_m", tile_m}, {"tile_n", 96}, {"stages", 4}, {"slice_k", 0}, {"align", 0}});
      const detail::Execution execution = variant.execution(values_of(variant, choice), problem, device);
      const detail::Launch& product = execution.launches.back();
      REQUIRE(product.maps.size() == 2);
      return product.defines.substr(product.defines.find("BOX_LINES_A="));
    };
    constexpr Transpose yes = Transpose::yes;
    CHECK(boxes({.type = DataType::f16, .trans_b = yes, .m = 4, .n = 600, .k = 704}) ==
          "BOX_LINES_A=8 -DBOX_LINES_B=96");
    CHECK(boxes({.type = DataType::f16, .m = 17, .n = 600, .k = 704}) == "BOX_LINES_A=32 -DBOX_LINES_B=128");
    CHECK(boxes({.type = DataType::f16, .trans_b = yes, .m = 65, .n = 9, .k = 704}) ==
          "BOX_LINES_A=64 -DBOX_LINES_B=16");
    CHECK(boxes({.type = DataType::f16, .trans_b = yes, .m = 136, .n = 9, .k = 704}, 192) ==
          "BOX_LINES_A=160 -DBOX_LINES_B=16");
    // Products by parts take whole tiles.
    CHECK(boxes({.type = DataType::f32, .accuracy = Accuracy::fp32_split, .trans_b = yes, .m = 4, .n = 9, .k = 704}) ==
          "BOX_LINES_A=64 -DBOX_LINES_B=96");
  }

  TEST_CASE("tensor cores read a column of adjacent elements as a row, and a single row wherever the next one were") {
    DeviceProfile device = large_gpu();
    device.tensor_cores = true;
    const auto& variant = detail::gemm_variants::tensor_core;
    const auto options = [&](GemmProblem problem) {
      problem = detail::normalized(problem);
      const detail::ParameterValues values = variant.preferences(problem, device).front();
      return variant.program.extra_defines(values, problem) +
             variant.execution(values, problem, device).launches.back().defines;
    };
    const auto has = [](const std::string& text, std::string_view part) {
      return text.find(part) != std::string::npos;
    };
    const std::string column = options({.type = DataType::f16, .m = 500, .n = 1, .k = 704, .offset_alignment = 16});
    CHECK(has(column, "-DCOPIED_B=0 -DTRANSPOSED_B=1"));
    CHECK(has(column, "-DREAD_B=16"));
    const std::string apart =
        options({.type = DataType::f16, .m = 500, .n = 1, .k = 704, .ldb = 3, .offset_alignment = 16});
    CHECK(has(apart, "-DTRANSPOSED_B=0"));
    const std::string row =
        options({.type = DataType::f16, .trans_b = Transpose::yes, .m = 1, .n = 500, .k = 701, .offset_alignment = 16});
    CHECK(has(row, "-DREAD_A=8"));
    CHECK(has(row, "-DREAD_B=1"));
  }

  TEST_CASE("copies of tensor-core operands have their own launches and workspaces") {
    DeviceProfile device = large_gpu();
    device.tensor_cores = device.warpgroup_tensor_cores = device.tensor_maps = true;
    for (const detail::GemmVariant* const variant :
         {&detail::gemm_variants::tensor_core, &detail::gemm_variants::tensor_warpgroup})
      // Rows of whole sectors of 32 bytes, of whole vectors of 16, and others.
      for (const std::uint64_t lda : {704U, 712U, 701U})
        for (const std::uint64_t ldb : {608U, 600U, 601U}) {
          CAPTURE(std::string(variant->name));
          CAPTURE(lda);
          CAPTURE(ldb);
          const GemmProblem problem =
              detail::normalized({.type = DataType::bf16, .m = 500, .n = 600, .k = 700, .lda = lda, .ldb = ldb});
          Configuration choice = configuration_of(*variant, variant->preferences(problem, device).front());
          choice.merge({{"slice_k", 0}, {"align", 1}});
          const detail::ParameterValues aligned = values_of(*variant, choice);
          const auto [launches, workspaces, cycles] = variant->execution(aligned, problem, device);
          const bool copies_a = lda % 16 != 0, copies_b = ldb % 16 != 0;
          const std::size_t copies = (copies_a ? 1U : 0U) + (copies_b ? 1U : 0U);
          REQUIRE(workspaces.size() == copies);
          REQUIRE(launches.size() == copies + 1);
          CHECK(std::string(launches.back().kernel) == "gemm");
          const auto has_options = [&](const detail::ParameterValues& values, std::uint64_t a, std::uint64_t b,
                                       std::uint64_t ld_of_a, std::uint64_t ld_of_b) {
            const detail::Execution execution = variant->execution(values, problem, device);
            const std::string options = execution.launches.back().defines + ' ';
            const bool has_boxes = options.find(" -DBOXES=1 ") != std::string::npos;
            const std::vector<detail::TensorMap>& maps = execution.launches.back().maps;
            REQUIRE(maps.size() == (has_boxes ? 2 : 0));
            if (has_boxes) {  // A's rows run along k, B's across
              CHECK(maps[0] ==
                    detail::tensor_map({2, 700, 500, ld_of_a, 64, static_cast<std::uint64_t>(choice["tile_m"])}));
              CHECK(maps[1] == detail::tensor_map({2, 600, 700, ld_of_b, 64, 64}));
            }
            CHECK(has_boxes == (variant->name == std::string_view("tensor_warpgroup") && a >= 8 && b >= 8));
            for (const std::string& read :
                 {" -DREAD_A=" + std::to_string(a) + ' ', " -DREAD_B=" + std::to_string(b) + ' '})
              CHECK((options.find(read) != std::string::npos) == !has_boxes);
          };
          has_options(aligned, 8, 16, 704, 608);
          for (std::size_t i = 0; i < copies; ++i) {
            const bool is_a = copies_a && i == 0;
            CHECK(std::string(launches[i].kernel) == "tensor_rows");
            REQUIRE(launches[i].packs.has_value());
            CHECK(launches[i].packs->input == (is_a ? 0 : 1));
            CHECK(launches[i].packs->workspace == i);
            CHECK(workspaces[i].bytes == (is_a ? 500 * 704 : 700 * 608) * 2);
            CHECK(workspaces[i].element == 2);
          }
          // Operands that are not copied are read in place; align = 0 disables all copies.
          choice.set("align", 0);
          const detail::ParameterValues in_place = values_of(*variant, choice);
          CHECK(variant->execution(in_place, problem, device).workspaces.empty());
          has_options(in_place, lda == 701 ? 1 : 8, ldb == 608 ? 16 : ldb == 600 ? 8 : 1, lda, ldb);
        }
  }

  TEST_CASE("TF32 operands run along k, split operands are copied, and a batch copies each distinct operand once") {
    DeviceProfile device = large_gpu();
    device.tensor_cores = device.warpgroup_tensor_cores = true;
    const auto copies_of = [&](GemmProblem problem) {
      problem.type = DataType::f32;
      problem = detail::normalized(problem);
      const detail::GemmVariant& variant = detail::gemm_variants::tensor_warpgroup;
      Configuration choice = configuration_of(variant, variant.preferences(problem, device).front());
      choice.merge({{"slice_k", 0}, {"align", 0}});
      std::vector<std::pair<bool, std::uint64_t>> copies;  // whether the copy is of B, and its bytes
      const auto [launches, workspaces, cycles] = variant.execution(values_of(variant, choice), problem, device);
      for (const detail::Launch& launch : launches)
        if (launch.packs) copies.emplace_back(launch.packs->input == 1, workspaces[launch.packs->workspace].bytes);
      return copies;
    };
    using Copies = std::vector<std::pair<bool, std::uint64_t>>;
    using enum Transpose;
    const GemmProblem tf32{.accuracy = Accuracy::tf32, .m = 500, .n = 600, .k = 702};
    const auto with = [&](Accuracy accuracy, Transpose a, Transpose b) {
      GemmProblem problem = tf32;
      problem.accuracy = accuracy;
      problem.trans_a = a;
      problem.trans_b = b;
      return problem;
    };
    CHECK(copies_of(with(Accuracy::tf32, no, yes)) == Copies{});
    CHECK(copies_of(with(Accuracy::tf32, no, no)) == Copies{{true, 600 * 704 * 4}});
    CHECK(copies_of(with(Accuracy::tf32, yes, yes)) == Copies{{false, 500 * 704 * 4}});
    CHECK(copies_of(with(Accuracy::fp32_split, no, yes)) ==
          Copies{{false, 500 * 704 * 2 * 4}, {true, 600 * 704 * 2 * 4}});
    GemmProblem batch = with(Accuracy::tf32, yes, no);
    batch.batch = {.count = 3, .stride_a = 500 * 702, .stride_b = 0, .stride_c = 500 * 600};
    CHECK(copies_of(batch) == Copies{{false, 3 * 500 * 704 * 4}, {true, 600 * 704 * 4}});
    batch.batch = {.count = 3, .by_offsets = true};
    CHECK(copies_of(batch) == Copies{{false, 3 * 500 * 704 * 4}, {true, 3 * 600 * 704 * 4}});
  }

  TEST_CASE("f32 uses tensor cores only if reduced accuracy is allowed") {
    DeviceProfile device = large_gpu();
    device.tensor_cores = device.warpgroup_tensor_cores = true;
    const auto chosen = [&](Accuracy accuracy) {
      return explain_gemm(device, {.accuracy = accuracy, .m = 4096, .n = 4096, .k = 4096}).variant;
    };
    CHECK(chosen(Accuracy::full) == "async_tile");
    CHECK(chosen(Accuracy::fp32_split) == "tensor_warpgroup");
    CHECK(chosen(Accuracy::tf32) == "tensor_warpgroup");
    device.warpgroup_tensor_cores = false;
    CHECK(chosen(Accuracy::fp32_split) == "async_tile");
    CHECK(chosen(Accuracy::tf32) == "tensor_core");
    device.tensor_cores = false;
    CHECK(chosen(Accuracy::tf32) == "async_tile");
    for (const DataType type : {DataType::f16, DataType::bf16, DataType::f64})
      CHECK_THROWS_AS(explain_gemm(device, {.type = type, .accuracy = Accuracy::tf32, .m = 4, .n = 4, .k = 4}), Error);
  }
}

}  // namespace tilewright::test
