// The variant and the configuration for one triangle of a product.
#include "gemm/triangle_selection.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "gemm/core_problem.hpp"
#include "gemm/part_selection.hpp"
#include "gemm/untuned_selection.hpp"
#include "support/profiles.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

using namespace detail;

CoreProduct triangle_of(DataType type, std::uint64_t n, std::uint64_t k, const DeviceProfile& device) {
  return detail::core_of({detail::normalized({.type = type, .m = n, .n = n, .k = k}), WantedTriangle{}}, device)
      .problem;
}

std::optional<GemmSelection> selection_for(const CoreProduct& triangle, const DeviceProfile& device) {
  return selection_for_part(untuned_selection(rectangle_like(triangle), device), triangle, device);
}

}  // namespace

TEST_SUITE("triangle selection") {
  TEST_CASE("a triangle takes little more than half of the cycles of the whole product") {
    const DeviceProfile device = typical_hopper();
    for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128, DataType::f16})
      for (const std::uint64_t n : {4096U, 8192U}) {
        CAPTURE(to_string(type));
        CAPTURE(n);
        const CoreProduct triangle = triangle_of(type, n, n, device);
        const auto selection = selection_for(triangle, device);
        REQUIRE(selection);
        CoreProduct whole = triangle;
        whole.triangle.reset();
        CHECK(cycles_of(*selection, triangle, device) <=
              (type == DataType::f16 ? 0.65 : 0.55) * cycles_of(untuned_selection(whole, device), whole, device));
      }
    count_cases();
  }

  TEST_CASE("there are tiles that a triangle can have, whatever its order") {
    const DeviceProfile device = typical_hopper();
    for (const DataType type : {DataType::f16, DataType::bf16, DataType::i8, DataType::f64})
      for (std::uint64_t n = 200; n < 20000; n = n * 9 / 8 / 8 * 8) {
        CAPTURE(to_string(type));
        CAPTURE(n);
        const CoreProduct triangle = triangle_of(type, n, n, device);
        const auto selection = selection_for(triangle, device);
        REQUIRE(selection);
        CHECK(std::string(selection->variant->name).starts_with("tensor_"));
      }
    count_cases();
  }

  TEST_CASE("a launch has a group per tile that touches the triangle") {
    const DeviceProfile device = typical_hopper();
    const CoreProduct triangle = triangle_of(DataType::f64, 4096, 4096, device);
    const auto selection = selection_for(triangle, device);
    REQUIRE(selection);
    const Configuration tiles = selection->configuration();
    REQUIRE(tiles["tile_m"] == 128);
    REQUIRE(tiles["tile_n"] == 128);
    const Execution execution = selection->variant->execution(selection->values.front(), triangle, device);
    REQUIRE(execution.launches.size() == 1);
    CHECK(groups_of(execution.launches.front()) == 32 * 33 / 2);
    count_cases();
  }

  // A flattened C has no diagonal.
  TEST_CASE("slices of a triangle are added row by row") {
    const DeviceProfile device = typical_cpu();
    const GemmVariant& variant = find_variant<GemmProblem>("register_blocked");
    CoreProduct product = triangle_of(DataType::f32, 16, 4096, device);
    ParameterValues values = variant.preferences(product, device).back();
    for (std::size_t i = 0; i < variant.parameters.size(); ++i)
      if (variant.parameters[i].name == std::string_view("slice_k")) values.set({variant.parameters[i].member, 64});
    CHECK(variant.computes_part(values, product));
    const auto sums = [&] { return variant.execution(values, product, device).launches.back(); };
    REQUIRE(std::string_view(sums().kernel) == "split_k_reduction");
    CHECK(sums().global[1] == 16);
    product.triangle.reset();
    CHECK(sums().global[1] == 1);
    count_cases();
  }

  TEST_CASE("CPUs leave out blocks of large triangles, and compute few rows of deep products as dot products") {
    const DeviceProfile device = typical_cpu();
    const auto selected = [&](std::uint64_t n, std::uint64_t k) {
      return selection_for(triangle_of(DataType::f32, n, k, device), device);
    };
    const auto large = selected(100, 100);
    REQUIRE(large);
    CHECK(large->variant->name == std::string_view("packed_panel"));
    CHECK_FALSE(selected(4, 4096));
    count_cases();
  }

  TEST_CASE("tiles that cannot be numbered") {
    CHECK(can_number_tiles({}, {8, 16}));
    CHECK(can_number_tiles({}, {16, 8}));
    CHECK(can_number_tiles({.parts = 2}, {4, 8}));
    CHECK_FALSE(can_number_tiles({}, {6, 16}));
    CHECK_FALSE(can_number_tiles({}, {16, 6}));
    count_cases();
  }
}

}  // namespace tilewright::test
