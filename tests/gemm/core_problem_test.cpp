// The core product that a plan's variant computes instead of the original one: its problem, launches and workspaces.
#include "gemm/core_problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/core_offsets.hpp"
#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "kernels/sizes.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/log.hpp"

namespace tilewright::test {
namespace {

using detail::CoreProblem;
using detail::KernelArgument;
using detail::Launch;

CoreProblem core_on(const DeviceProfile& device, const GemmProblem& problem) {
  return detail::core_of(detail::normalized(problem), device);
}

CoreProblem core_of(const GemmProblem& problem) { return core_on(typical_cpu(), problem); }

std::vector<std::string> kernels_of(const std::vector<Launch>& launches) {
  std::vector<std::string> names;
  for (const Launch& launch : launches) names.emplace_back(launch.kernel);
  return names;
}

std::vector<Launch> launches_of(const CoreProblem& core, const char* variant, const Configuration& configuration) {
  const detail::GemmVariant& known = detail::find_variant<GemmProblem>(variant);
  return detail::core_execution(core, known, values_of(known, configuration), typical_cpu()).launches;
}

bool has(const Launch& launch, const KernelArgument& argument) {
  return std::find(launch.arguments.begin(), launch.arguments.end(), argument) != launch.arguments.end();
}

const Configuration padded{{"tile_m", 8}, {"tile_n", 8}, {"tile_k", 8}, {"padded", 1}};
const Configuration naive{{"wg_m", 8}, {"wg_n", 8}};

}  // namespace

TEST_SUITE("core problem") {
  TEST_CASE("a real problem is its own core problem") {
    const GemmProblem problem{.type = DataType::f16, .trans_a = Transpose::conjugate_transpose, .m = 2, .n = 3, .k = 5};
    const CoreProblem core = core_of(problem);
    CHECK(core.problem == detail::normalized(problem));
    CHECK(core.problem.trans_a == Transpose::yes);  // real numbers have no conjugates
    CHECK_FALSE(core.is_rewritten());
    CHECK(kernels_of(launches_of(core, "naive", naive)) == std::vector<std::string>{"gemm"});
  }

  TEST_CASE("the core of a complex problem is real, with twice the columns and twice the depth") {
    const GemmProblem problem{.type = DataType::c128, .m = 20, .n = 30, .k = 50, .lda = 51, .ldb = 60, .ldc = 33};
    const GemmProblem core = detail::core_problem(detail::normalized(problem));
    CHECK(core == GemmProblem{.type = DataType::f64,
                              .m = 20,
                              .n = 60,
                              .k = 100,
                              .lda = 102,
                              .ldb = 64,  // of the expanded B, whose rows are whole vectors
                              .ldc = 66});
    CHECK(detail::Operation<GemmProblem>::work(problem) == detail::Operation<GemmProblem>::work(core));
    CHECK(detail::Operation<GemmProblem>::normalized(problem) == core);
  }

  TEST_CASE("a complex problem is recorded as its core problem") {
    const GemmProblem problem{
        .type = DataType::c64, .trans_b = Transpose::conjugate_transpose, .m = 20, .n = 30, .k = 50};
    const GemmProblem core = detail::Operation<GemmProblem>::normalized(problem);
    using Format = detail::RecordFormat<GemmProblem>;
    CHECK(Format::from_json(Format::to_json(core)) == core);
    auto complex = Format::to_json(core);
    complex["type"] = "c64";
    CHECK_THROWS(Format::from_json(complex));
  }

  TEST_CASE("tensor_f64 sees complex operands as they are stored, and counts reals") {
    const DeviceProfile device = typical_hopper();
    const GemmProblem problem{.type = DataType::c128,
                              .trans_a = Transpose::conjugate_transpose,
                              .trans_b = Transpose::yes,
                              .m = 200,
                              .n = 300,
                              .k = 500};
    const detail::GemmVariant& tensor = detail::find_variant<GemmProblem>("tensor_f64");
    const auto core_for = [&](const Configuration& configuration, const std::optional<detail::KRange>& range) {
      return detail::core_of({detail::normalized(problem), {}, range}, device, tensor,
                             values_of(tensor, configuration));
    };
    Configuration tiles{{"tile_m", 64}, {"tile_n", 64}, {"tile_k", 16}, {"warp_m", 32},
                        {"warp_n", 32}, {"stages", 3},  {"swizzle", 8}, {"slice_k", 0}};
    const CoreProblem core = core_for(tiles, detail::KRange{.of_rows = true, .block = 64});
    CHECK(core.problem.complex == detail::ComplexFactors{true, false});
    CHECK(core.problem.trans_a == Transpose::yes);
    CHECK(core.problem.n == 600);
    CHECK(core.problem.k == 1000);
    CHECK(core.problem.lda == 400);
    CHECK(core.problem.k_range->block == 64);
    CHECK(core.problem.k_range->steps() == 128);
    CHECK(core_for(tiles, detail::KRange{.of_rows = false, .block = 64}).problem.k_range->block == 128);
    const detail::Execution execution = detail::core_execution(core, tensor, values_of(tensor, tiles), device);
    CHECK(kernels_of(execution.launches) == std::vector<std::string>{"scale_c", "gemm"});
    CHECK(execution.workspaces.empty());
    CHECK(execution.launches.back().arguments.back() == detail::gemm_slots::folded_im);
    // Tiles with fewer complex elements of B than work-items.
    tiles = {{"tile_m", 64}, {"tile_n", 16}, {"tile_k", 16}, {"warp_m", 16},
             {"warp_n", 16}, {"stages", 3},  {"swizzle", 8}, {"slice_k", 0}};
    CHECK_FALSE(core_for(tiles, {}).problem.complex);
  }

  TEST_CASE("tensor maps are used unless they fail their probe, which runs only if there are maps") {
    const detail::GemmVariant& variant = detail::find_variant<GemmProblem>("tensor_warpgroup");
    const DeviceProfile device = typical_hopper();
    unsigned probes = 0;
    std::vector<std::string> messages;
    set_log_callback([&](std::string_view message) { messages.emplace_back(message); });
    const auto product = [&](const DeviceProfile& on, const GemmProblem& problem, bool available) {
      const CoreProblem core = core_on(on, problem);
      const auto probe = [&](Ability ability) {
        CHECK(ability == Ability::tensor_maps);
        ++probes;
        return Probe{.available = available, .detail = "wrong results"};
      };
      return detail::probed_execution(core, variant, variant.preferences(core.problem, on).front(), on, probe)
          .launches.back();
    };
    const auto has_boxes = [](const Launch& launch) {
      CHECK(launch.maps.size() == (has(launch, detail::argument::map(0)) ? 2 : 0));
      CHECK((launch.defines.find("-DBOXES=1") != std::string::npos) == !launch.maps.empty());
      CHECK((launch.defines.find("-DREAD_B=") != std::string::npos) == launch.maps.empty());
      return !launch.maps.empty();
    };
    const GemmProblem whole{.type = DataType::f16, .m = 512, .n = 512, .k = 512};
    CHECK(has_boxes(product(device, whole, true)));
    CHECK(probes == 1);
    CHECK(messages.empty());
    CHECK_FALSE(has_boxes(product(device, whole, false)));
    CHECK_FALSE(has_boxes(product(device, whole, false)));
    CHECK(probes == 3);
    REQUIRE(messages.size() == 1);
    CHECK(mentions(messages.front(), "wrong results"));
    DeviceProfile without = device;
    without.tensor_maps = false;
    CHECK_FALSE(has_boxes(product(without, whole, true)));
    CHECK_FALSE(has_boxes(product(device, {.type = DataType::f16, .m = 50, .n = 51, .k = 53}, true)));  // odd rows
    CHECK(probes == 3);
    set_log_callback({});
  }

  TEST_CASE("core offsets count real elements, up to the alignment that kernels need") {
    const auto alignment = [](std::uint64_t promised) {
      GemmProblem problem{.type = DataType::c64, .m = 16, .n = 16, .k = 16};
      problem.offset_alignment = promised;
      return core_of(problem).problem.offset_alignment;
    };
    CHECK(alignment(1) == 2);
    CHECK(alignment(4) == 8);
    CHECK(alignment(std::uint64_t{1} << 63) == 16);
  }

  TEST_CASE("B is expanded, a transposed A is copied first, and C is scaled first if beta is complex") {
    const CoreProblem plain =
        core_of({.type = DataType::c64, .trans_b = Transpose::conjugate_transpose, .m = 4, .n = 5, .k = 6});
    const std::vector<Launch> launches = launches_of(plain, "naive", naive);
    CHECK(kernels_of(launches) == std::vector<std::string>{"expand_b", "scale_c", "gemm"});
    CHECK(has(launches[2], detail::gemm_slots::a));
    CHECK_FALSE(has(launches[2], detail::gemm_slots::b));
    CHECK(has(launches[2], detail::argument::workspace(0)));
    CHECK(has(launches[0], detail::gemm_slots::b));
    REQUIRE(launches[0].prepares);
    CHECK(launches[0].prepares->input == detail::gemm_slots::b.value);

    const CoreProblem copied = core_of({.type = DataType::c64, .trans_a = Transpose::yes, .m = 4, .n = 5, .k = 6});
    const std::vector<Launch> four = launches_of(copied, "naive", naive);
    CHECK(kernels_of(four) == std::vector<std::string>{"copy_a", "expand_b", "scale_c", "gemm"});
    CHECK_FALSE(has(four[3], detail::gemm_slots::a));
    CHECK(copied.problem.lda == 16);
    CHECK(has(four[3], detail::argument::workspace(0)));
    CHECK(has(four[3], detail::argument::workspace(1)));
  }

  TEST_CASE("prepared operands follow the variant's own workspaces and are packed from there") {
    const CoreProblem core = core_of({.type = DataType::c64, .trans_a = Transpose::yes, .m = 20, .n = 20, .k = 20});
    const auto& variant = detail::find_variant<GemmProblem>("local_tile");
    const detail::ParameterValues values = values_of(variant, padded);
    const std::uint64_t own = variant.execution(values, core.problem, typical_cpu()).workspaces.size();
    REQUIRE(own > 0);
    const auto workspaces = detail::core_execution(core, variant, values, typical_cpu()).workspaces;
    REQUIRE(workspaces.size() == own + 2);
    CHECK(workspaces[own].bytes == 20 * 48 * sizeof(float));
    CHECK(workspaces[own + 1].bytes == 40 * 48 * sizeof(float));
    for (const Launch& launch : launches_of(core, "local_tile", padded)) {
      if (launch.packs) CHECK(has(launch, detail::argument::workspace(own + launch.packs->input)));
      if (!launch.prepares) CHECK_FALSE(has(launch, detail::gemm_slots::b));
    }
  }

  TEST_CASE("packed_panel reads the complex operands, and only a complex beta is prepared") {
    const detail::GemmVariant& panels = detail::find_variant<GemmProblem>("packed_panel");
    GemmProblem problem{.type = DataType::c64,
                        .trans_a = Transpose::conjugate_transpose,
                        .trans_b = Transpose::yes,
                        .m = 20,
                        .n = 30,
                        .k = 50,
                        .lda = 21,
                        .ldb = 52,
                        .ldc = 33};
    problem.batch = {.count = 3, .stride_a = 2000, .stride_b = 0, .stride_c = 1000};
    const detail::ParameterValues values = panels.preferences(problem, typical_cpu()).front();
    const CoreProblem core = detail::core_of(detail::normalized(problem), typical_cpu(), panels, values);
    GemmProblem expected{.type = DataType::f32,
                         .trans_a = Transpose::yes,
                         .trans_b = Transpose::yes,
                         .m = 20,
                         .n = 60,
                         .k = 50,
                         .lda = 42,
                         .ldb = 104,
                         .ldc = 66,
                         .offset_alignment = core.problem.offset_alignment};
    expected.batch = {.count = 3, .stride_a = 4000, .stride_b = 0, .stride_c = 2000};
    CHECK(core.problem == expected);
    CHECK(core.problem.complex == detail::ComplexFactors{.conjugated_a = true, .conjugated_b = false});
    const detail::Execution execution = detail::core_execution(core, panels, values, typical_cpu());
    CHECK(kernels_of(execution.launches) == std::vector<std::string>{"scale_c", "pack_b", "gemm"});
    CHECK(has(execution.launches[1], detail::gemm_slots::b));
    CHECK(has(execution.launches[1], detail::gemm_slots::folded_im));
    const auto panel = static_cast<std::uint64_t>(detail::configuration_of(panels, values)["item_n"]);
    REQUIRE(execution.workspaces.size() == 1);
    CHECK(execution.workspaces.front().bytes == detail::rounded_up(60, static_cast<std::int64_t>(panel)) * 50 * 4);

    // Vectors of one real hold no complex element.
    Configuration narrow = detail::configuration_of(panels, values);
    narrow.set("vector_n", 1);
    CHECK_FALSE(
        detail::core_of(detail::normalized(problem), typical_cpu(), panels, values_of(panels, narrow)).problem.complex);
  }

  TEST_CASE("products of a batch that share B share its expansion") {
    GemmProblem problem{.type = DataType::c64, .m = 4, .n = 8, .k = 6};
    problem.batch = {.count = 10, .stride_a = 24, .stride_b = 0, .stride_c = 32};
    const CoreProblem shared = core_of(problem);
    CHECK(shared.problem.batch == Batch{10, 48, 0, 64});
    CHECK(shared.inputs[1]->workspace.bytes == 12 * 16 * sizeof(float));
    CHECK(shared.preparations.front().shared);
    problem.batch.stride_b = 48;
    const CoreProblem each = core_of(problem);
    CHECK(each.problem.batch == Batch{10, 48, 12 * 16, 64});
    CHECK(each.inputs[1]->workspace.bytes == 10 * 12 * 16 * sizeof(float));
    CHECK(launches_of(each, "naive", naive).front().global[2] == 10);
  }

  TEST_CASE("a batch's offsets are those of the core product, then the caller's") {
    GemmProblem problem{.type = DataType::c64, .m = 4, .n = 8, .k = 6};
    problem.batch = {.count = 2, .by_offsets = true};
    const std::vector<std::uint64_t> a{30, 0}, b{5, 5}, c{0, 100};
    const CoreProblem core = core_of(problem);
    const detail::CoreOffsets offsets(core, {a, b, c});
    const auto list = [](std::span<const std::uint64_t> values) { return std::vector(values.begin(), values.end()); };
    CHECK(list(offsets.all().a) == std::vector<std::uint64_t>{60, 0, 60, 0});
    CHECK(list(offsets.all().b) == std::vector<std::uint64_t>{0, 12 * 16, 10, 10});
    CHECK(list(offsets.all().c) == std::vector<std::uint64_t>{0, 200, 0, 200});
    CHECK(detail::CoreOffsets::entries(core, 2) == 4);
  }

  TEST_CASE("grids keep the device's limits, and 64-bit sizes are not truncated") {
    DeviceProfile device = typical_nvidia_gpu();
    device.max_work_groups = {1000, 7, 7};
    const CoreProblem core = core_on(device, {.type = DataType::c64, .m = 4, .n = 8, .k = 1000});
    const detail::GemmVariant& variant = detail::find_variant<GemmProblem>("naive");
    const auto launches = detail::core_execution(core, variant, values_of(variant, naive), device).launches;
    CHECK(launches.front().max_groups == device.max_work_groups);
    const GemmProblem large{.type = DataType::c64, .m = 8, .n = std::uint64_t{1} << 31, .k = 8};
    CHECK(detail::core_problem(detail::normalized(large)).n == std::uint64_t{1} << 32);
    const GemmProblem wide{.type = DataType::c64, .m = 1 << 15, .n = 1 << 15, .k = 8};
    CHECK(detail::needs_64_bit_indices(detail::core_problem(detail::normalized(wide))));
  }

  TEST_CASE("the selector chooses for the core product and says so") {
    const GemmProblem problem{
        .type = DataType::c64, .trans_a = Transpose::conjugate_transpose, .m = 400, .n = 200, .k = 300};
    const Explanation complex = explain_gemm(typical_cpu(), problem);
    const Explanation real = explain_gemm(typical_cpu(), {.m = 400, .n = 400, .k = 600, .lda = 608});
    CHECK(complex.variant == real.variant);
    const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(complex.variant);
    const CoreProblem core =
        detail::core_of(detail::normalized(problem), typical_cpu(), variant, values_of(variant, real.configuration));
    REQUIRE(core.problem.complex);
    CHECK(complex.configuration ==
          detail::configuration_of(variant, variant.preferences(core.problem, typical_cpu()).front()));
    CHECK(complex.configuration["pack_a"] == 0);
    GemmProblem wide = problem;
    wide.n = 400;
    CHECK(explain_gemm(typical_cpu(), wide).configuration["pack_a"] == 1);  // A is read as it is stored
    CHECK(mentions(complex.reason, "computed as the f32 product 400 x 400 x 600 NN"));
    CHECK_FALSE(mentions(real.reason, "computed as"));
    CHECK(gemm_support(typical_cpu(), "naive", problem).supported);
    DeviceProfile without = typical_cpu();
    without.fp64 = false;
    expect_error(ErrorCode::unsupported_type,
                 [&] { return explain_gemm(without, {.type = DataType::c128, .m = 4, .n = 4, .k = 4}); });
  }
}

}  // namespace tilewright::test
