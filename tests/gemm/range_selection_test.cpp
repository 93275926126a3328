// The variant and the configuration for a product with a block triangular factor.
#include "gemm/range_selection.hpp"

#include <doctest/doctest.h>

#include <string>

#include "gemm/core_problem.hpp"
#include "gemm/untuned_selection.hpp"
#include "support/profiles.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

using detail::CoreProduct, detail::GemmSelection, detail::GemmVariant, detail::KRange;

CoreProduct product_of(const GemmProblem& problem, const KRange& range, const DeviceProfile& device) {
  return detail::core_of({detail::normalized(problem), {}, range}, device).problem;
}

std::optional<GemmSelection> selected(const CoreProduct& product, const DeviceProfile& device, bool is_chosen = false) {
  return detail::selection_for_range(untuned_selection(detail::shallow_like(product), device), product, device,
                                     is_chosen);
}

}  // namespace

TEST_SUITE("range selection") {
  TEST_CASE("a triangular factor takes little more than half of the cycles of the whole product") {
    const DeviceProfile device = typical_hopper();
    for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128})
      for (const std::uint64_t n : {1024U, 2048U, 4096U, 8192U})
        for (const bool of_rows : {true, false}) {
          CAPTURE(to_string(type));
          CAPTURE(n);
          CAPTURE(of_rows);
          const std::uint64_t square = n < 4096 ? 64 : 128;
          const KRange range{.of_rows = of_rows, .block = square};
          const CoreProduct product = product_of({.type = type, .m = n, .n = n, .k = n}, range, device);
          const auto selection = selected(product, device);
          REQUIRE(selection);
          CoreProduct whole = product;
          whole.k_range.reset();
          CHECK(cycles_of(*selection, product, device) <=
                (n < 4096 ? 0.8 : 0.55) * cycles_of(untuned_selection(whole, device), whole, device));
        }
    count_cases();
  }

  TEST_CASE("a launch has a group per tile, and no slices of k") {
    const DeviceProfile device = typical_hopper();
    const KRange range{.block = 64};
    // A product of as few tiles would be divided along k.
    const CoreProduct product = product_of({.type = DataType::f64, .m = 1024, .n = 256, .k = 1024}, range, device);
    const GemmVariant& variant = *untuned_selection(product, device).variant;
    for (const detail::ParameterValues& values : variant.preferences(product, device)) {
      CHECK(variant.computes_part(values, product));
      const detail::Execution execution = variant.execution(values, product, device);
      const Configuration tile = detail::configuration_of(variant, values);
      const auto rows = static_cast<std::uint64_t>(tile["tile_m"]),
                 columns = static_cast<std::uint64_t>(tile["tile_n"]);
      REQUIRE(execution.launches.size() == 1);
      CHECK(execution.workspaces.empty());
      CHECK(groups_of(execution.launches.front()) == (1024 / rows) * (256 / columns));
    }
    count_cases();
  }

  TEST_CASE("a product of few tiles with a long k has no ranges") {
    const DeviceProfile device = typical_hopper();
    const auto product = [&](std::uint64_t m) {
      return product_of({.type = DataType::f64, .m = m, .n = 64, .k = 8192}, {.block = 64}, device);
    };
    CHECK_FALSE(selected(product(64), device));
    CHECK(selected(product(64), device, true));  // unless the caller chose the variant
    CHECK(selected(product(8192), device));
    count_cases();
  }

  TEST_CASE("variants and tiles that cannot leave out steps") {
    const DeviceProfile device = typical_cpu();
    const CoreProduct product = product_of({.m = 100, .n = 100, .k = 100}, {.block = 8}, device);
    const detail::GemmVariant& naive = detail::find_variant<GemmProblem>("naive");
    CHECK_FALSE(naive.computes_part(naive.preferences(product, device).front(), product));
    CHECK(detail::fits_in_blocks({.of_rows = true, .block = 8}, {8, 32}));
    CHECK_FALSE(detail::fits_in_blocks({.of_rows = false, .block = 8}, {8, 32}));
    CHECK_FALSE(detail::fits_in_blocks({.of_rows = true, .block = 8}, {6, 8}));
    count_cases();
  }

  TEST_CASE("GPUs multiply triangles by tensor_f64, in tiles whose lines are in one block") {
    const DeviceProfile device = typical_hopper();
    for (const DataType type : {DataType::f64, DataType::c128, DataType::f32}) {
      const CoreProduct product =
          product_of({.type = type, .m = 1024, .n = 1024, .k = 1024}, {.block = 128, .is_triangle = true}, device);
      const auto selection = selected(product, device);
      CHECK(selection.has_value() == (type != DataType::f32));
      if (!selection) continue;
      CHECK(std::string(selection->variant->name) == "tensor_f64");
      const Configuration tile = detail::configuration_of(*selection->variant, selection->values.front());
      CHECK(128 % tile["tile_m"] == 0);
    }
    // Tiles with fewer complex elements of B than work-items see prepared reals, which have no triangle.
    const GemmVariant& tensor = detail::find_variant<GemmProblem>("tensor_f64");
    for (const DataType type : {DataType::f64, DataType::c128}) {
      const CoreProduct product =
          product_of({.type = type, .m = 1024, .n = 1024, .k = 1024}, {.block = 128, .is_triangle = true}, device);
      const Configuration narrow{{"tile_m", 64}, {"tile_n", 16}, {"tile_k", 16}, {"warp_m", 16},
                                 {"warp_n", 16}, {"stages", 3},  {"swizzle", 8}, {"slice_k", 0}};
      CHECK(tensor.computes_part(values_of(tensor, narrow), product) == (type == DataType::f64));
    }
    // All groups run at once, two or three on a unit: long and short ones share it.
    const auto order = [&](std::uint64_t n) {
      const CoreProduct product =
          product_of({.type = DataType::f64, .m = n, .n = n, .k = n}, {.block = 128, .is_triangle = true}, device);
      const GemmSelection selection = *selected(product, device);
      return selection.variant->execution(selection.values.front(), product, device).launches.back().defines;
    };
    CHECK(order(1024).find("RANGE_UNITS=132") != std::string::npos);
    CHECK(order(4096).empty());
    count_cases();
  }

  TEST_CASE("CPUs multiply triangles by packed_panel alone, without slices of k") {
    const DeviceProfile device = typical_cpu();
    for (const bool of_rows : {true, false})
      for (const DataType type : {DataType::f32, DataType::c64}) {
        const KRange range{.of_rows = of_rows, .is_triangle = true};
        const GemmProblem problem = detail::normalized({.type = type, .m = 32, .n = 32, .k = 4096});
        const GemmVariant& panels = detail::find_variant<GemmProblem>("packed_panel");
        const auto product_for = [&](const detail::ParameterValues& values) {
          return detail::core_of({problem, {}, range}, device, panels, values).problem;
        };
        const detail::ParameterValues values = panels.preferences(problem, device).front();
        const CoreProduct product = product_for(values);
        CHECK(panels.computes_part(values, product));
        const detail::Execution execution = panels.execution(values, product, device);
        REQUIRE(execution.launches.size() == 2);
        CHECK(std::string(execution.launches.front().kernel) == "pack_b");
        CHECK(std::string(execution.launches.back().kernel) == "gemm");
        CHECK((execution.launches.back().global[0] == 1 || of_rows));
        // A vector of one real cannot hold a complex element, so the product would be one of an expanded B.
        Configuration configuration = detail::configuration_of(panels, values);
        configuration.set("vector_n", 1);
        const detail::ParameterValues narrow = detail::values_of(panels, configuration);
        CHECK(panels.computes_part(narrow, product_for(narrow)) == (type == DataType::f32));
        const GemmVariant& tiles = detail::find_variant<GemmProblem>("register_blocked");
        CHECK_FALSE(tiles.computes_part(tiles.preferences(product, device).front(), product));
      }
    count_cases();
  }

  // The real product of a complex one has two steps of k per element, and two columns.
  TEST_CASE("ranges of complex products") {
    const DeviceProfile device = typical_hopper();
    for (const bool of_rows : {true, false}) {
      const KRange range =
          *product_of({.type = DataType::c64, .m = 256, .n = 256, .k = 256}, {.of_rows = of_rows, .block = 64}, device)
               .k_range;
      CHECK(range.steps() == 128);
      CHECK(range.block == (of_rows ? 64 : 128));
    }
    count_cases();
  }
}

}  // namespace tilewright::test
