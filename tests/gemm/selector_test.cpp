// What is chosen for a problem, and why; on made-up device profiles, so that no device is needed.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

const GemmProblem some_problem{.m = 100, .n = 200, .k = 300};
const GemmProblem double_problem{.type = DataType::f64, .m = 100, .n = 200, .k = 300};

}  // namespace

TEST_SUITE("selector") {
  TEST_CASE("the ladder is complete, in order, and explains itself") {
    std::vector<std::string> names;
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      names.push_back(variant.name);
      CHECK_FALSE(variant.summary.empty());
      CHECK_FALSE(variant.parameters.empty());
      std::set<std::string> parameters;
      for (const Parameter& parameter : variant.parameters) {
        CAPTURE(parameter.name);
        CHECK(parameters.insert(parameter.name).second);
        CHECK_FALSE(parameter.meaning.empty());
        CHECK_FALSE(parameter.values.empty());
      }
      for (const Configuration& strategy : variant.strategies)
        for (const auto& [name, value] : strategy) CHECK(parameters.count(name) == 1);
    }
    // From the simplest on, and none twice.
    REQUIRE_FALSE(names.empty());
    CHECK(names.front() == "naive");
    CHECK(std::set(names.begin(), names.end()).size() == names.size());
  }

  TEST_CASE("every variant has its kernel and its host file, and its place in the documentation") {
    const std::filesystem::path source = TILEWRIGHT_TEST_SOURCE;
    std::ifstream file(source / "docs" / "ladder.md");
    const std::string ladder{std::istreambuf_iterator<char>(file), {}};
    std::size_t before = 0;
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      CHECK(std::filesystem::exists(source / "cl" / "gemm" / (variant.name + ".cl")));
      CHECK(std::filesystem::exists(source / "src" / "gemm" / "variants" / (variant.name + ".cpp")));
      const std::size_t heading = ladder.find("\n## `" + variant.name + "`\n");
      REQUIRE(heading != std::string::npos);
      CHECK(heading > before);  // in the same order
      before = heading;
    }
  }

  TEST_CASE("an explanation has a word on every variant and chooses one that is supported") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()}) {
      CAPTURE(device.name);
      const Explanation explanation = explain_gemm(device, some_problem);
      CHECK_FALSE(explanation.reason.empty());
      CHECK_FALSE(explanation.configuration.empty());
      CHECK(explanation.candidates.size() == gemm_variants().size());
      int chosen = 0;
      for (const Candidate& candidate : explanation.candidates) {
        CAPTURE(candidate.variant);
        CHECK_FALSE(candidate.reason.empty());
        CHECK(candidate.supported == gemm_support(device, candidate.variant, some_problem).supported);
        if (candidate.variant != explanation.variant) continue;
        ++chosen;
        CHECK(candidate.supported);
        CHECK(candidate.configuration == explanation.configuration);
      }
      CHECK(chosen == 1);
    }
  }

  TEST_CASE("what an explanation names can be forced, whole and in part") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()})
      for (const Candidate& candidate : explain_gemm(device, some_problem).candidates) {
        CAPTURE(device.name);
        CAPTURE(candidate.variant);
        if (!candidate.supported) {
          expect_error(ErrorCode::unsupported_variant, [&] {
            explain_gemm(device, some_problem, {candidate.variant, {}});
          });
          continue;
        }
        const auto forced = explain_gemm(device, some_problem, {candidate.variant, candidate.configuration});
        CHECK(forced.variant == candidate.variant);
        CHECK(forced.configuration == candidate.configuration);
        const Configuration::Entry first = *candidate.configuration.begin();
        const auto in_part = explain_gemm(device, some_problem, {candidate.variant, {first}});
        CHECK(in_part.configuration[first.first] == first.second);
      }
  }

  TEST_CASE("CPUs and GPUs are served differently") {
    CHECK(explain_gemm(typical_gpu(), some_problem).configuration !=
          explain_gemm(typical_cpu(), some_problem).configuration);
  }

  TEST_CASE("every strategy is valid where its variant is") {
    for (const VariantInfo& variant : gemm_variants())
      for (const Configuration& strategy : variant.strategies) {
        CAPTURE(variant.name);
        const auto explanation = explain_gemm(typical_gpu(), some_problem, {variant.name, strategy});
        for (const auto& [name, value] : strategy) CHECK(explanation.configuration[name] == value);
      }
  }

  TEST_CASE("double precision needs a device that has it") {
    DeviceProfile device = typical_gpu();
    device.fp64 = false;
    device.native_vector_width_f64 = 0;
    device.extensions.clear();
    const auto message = expect_error(ErrorCode::unsupported_type, [&] { explain_gemm(device, double_problem); });
    CHECK(mentions(message, device.name));
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      const Support support = gemm_support(device, variant.name, double_problem);
      CHECK_FALSE(support.supported);
      CHECK_FALSE(support.reason.empty());
      CHECK(gemm_support(device, variant.name, some_problem).supported ==
            gemm_support(typical_gpu(), variant.name, some_problem).supported);
      expect_error(ErrorCode::unsupported_type, [&] { explain_gemm(device, double_problem, {variant.name, {}}); });
    }
    CHECK_NOTHROW(explain_gemm(typical_gpu(), double_problem));
  }

  TEST_CASE("texel_blocked needs images that are large enough, and single precision") {
    DeviceProfile device = typical_gpu();
    CHECK(gemm_support(device, "texel_blocked", some_problem).supported);
    CHECK_FALSE(gemm_support(device, "texel_blocked", double_problem).supported);
    GemmProblem deep = some_problem;
    deep.k = device.image2d_max_height;
    CHECK(gemm_support(device, "texel_blocked", deep).supported);
    deep.k += 1;
    CHECK_FALSE(gemm_support(device, "texel_blocked", deep).supported);
    GemmProblem wide = some_problem;
    wide.n = 4 * device.image2d_max_width + 1;
    CHECK_FALSE(gemm_support(device, "texel_blocked", wide).supported);
    device.images = false;
    const Support support = gemm_support(device, "texel_blocked", some_problem);
    CHECK_FALSE(support.supported);
    CHECK(mentions(support.reason, "image"));
    CHECK(explain_gemm(device, some_problem).variant != "texel_blocked");
  }

  TEST_CASE("tensor_f64 needs tensor cores and double precision, and is then the default") {
    DeviceProfile device = typical_gpu();
    CHECK(explain_gemm(device, double_problem).variant != "tensor_f64");
    CHECK_FALSE(gemm_support(device, "tensor_f64", double_problem).supported);
    device.fp64_tensor_cores = true;
    CHECK(gemm_support(device, "tensor_f64", double_problem).supported);
    CHECK(explain_gemm(device, double_problem).variant == "tensor_f64");
    CHECK_FALSE(gemm_support(device, "tensor_f64", some_problem).supported);
  }

  TEST_CASE("elements of 16 bits go to tensor cores, by warpgroups where the device has them") {
    DeviceProfile device = typical_nvidia_gpu();
    device.static_local_memory_bytes = 224 << 10;
    for (const DataType type : {DataType::f16, DataType::bf16}) {
      const GemmProblem large{.type = type, .m = 2048, .n = 2048, .k = 2048};
      device.tensor_cores = device.warpgroup_tensor_cores = false;
      CHECK(explain_gemm(device, large).variant == "register_blocked");
      CHECK_FALSE(gemm_support(device, "tensor_core", large).supported);
      device.tensor_cores = true;
      CHECK(explain_gemm(device, large).variant == "tensor_core");
      CHECK_FALSE(gemm_support(device, "tensor_warpgroup", large).supported);
      device.warpgroup_tensor_cores = true;
      CHECK(explain_gemm(device, large).variant == "tensor_warpgroup");
      CHECK(explain_gemm(device, {.type = type, .trans_b = Transpose::yes, .m = 16, .n = 4096, .k = 4096}).variant ==
            "tensor_core");
      const GemmProblem single{.m = 64, .n = 64, .k = 64};
      CHECK_FALSE(gemm_support(device, "tensor_warpgroup", single).supported);
    }
  }

  TEST_CASE("operands of tensor cores whose rows are not whole vectors are copied first, where they are large") {
    DeviceProfile device = typical_nvidia_gpu();
    device.static_local_memory_bytes = 224 << 10;
    device.tensor_cores = device.warpgroup_tensor_cores = true;
    const auto aligned = [&](GemmProblem problem) {
      problem.type = DataType::f16;
      return explain_gemm(device, problem).configuration["align"] == 1;
    };
    CHECK(aligned({.m = 4095, .n = 4095, .k = 4095}));
    CHECK(aligned({.m = 4096, .n = 4096, .k = 4095}));
    CHECK(aligned({.m = 4096, .n = 4096, .k = 4096, .offset_alignment = 1}));
    CHECK_FALSE(aligned({.m = 4096, .n = 4096, .k = 4096}));
    CHECK_FALSE(aligned({.m = 100, .n = 100, .k = 101}));
    // Rows may end within a vector, as long as they begin at one.
    CHECK_FALSE(aligned({.m = 4095, .n = 4095, .k = 4095, .lda = 4096, .ldb = 4096}));
  }

  TEST_CASE("local memory beyond what is reported is for variants that can use it") {
    DeviceProfile device = typical_gpu();
    device.fp64_tensor_cores = true;
    const Choice large{"tensor_f64", {{"tile_m", 128}, {"tile_n", 128}, {"stages", 4}}};
    expect_error(ErrorCode::invalid_configuration, [&] { explain_gemm(device, double_problem, large); });
    device.static_local_memory_bytes = 224 << 10;
    CHECK_NOTHROW(explain_gemm(device, double_problem, large));
    const Choice other{"register_blocked", {{"tile_m", 256}, {"tile_n", 256}, {"tile_k", 32}}};
    expect_error(ErrorCode::invalid_configuration, [&] { explain_gemm(device, some_problem, other); });
  }

  TEST_CASE("private arrays fit the stack that a CPU's work-groups run on, and a GPU's work-item") {
    DeviceProfile cpu = typical_cpu();
    cpu.max_work_group_size = 4096;
    cpu.max_work_item_sizes = {4096, 4096, 4096};
    const GemmProblem transposed{.type = DataType::f64, .trans_a = Transpose::yes, .m = 4096, .n = 4096, .k = 4096};
    const Choice wide_rows{"private_row", {{"wg", 1024}, {"chunk", 2048}}};
    const Choice deep{"packed_panel",
                      {{"item_m", 64}, {"item_n", 4}, {"vector_n", 4}, {"block_k", 1024}, {"pack_a", 0}}};
    const Choice many{"local_tile", {{"tile_m", 64}, {"tile_n", 64}, {"tile_k", 64}}};
    const Choice blocks{"register_blocked",
                        {{"tile_m", 256}, {"tile_n", 512}, {"tile_k", 64}, {"item_m", 8}, {"item_n", 16}}};
    cpu.local_memory_bytes = 8 << 20;
    for (const Choice& choice : {wide_rows, deep, many, blocks}) {
      CAPTURE(choice.variant);
      const std::string message =
          expect_error(ErrorCode::invalid_configuration, [&] { explain_gemm(cpu, transposed, choice); });
      CHECK(mentions(message, "private arrays"));
    }
    const Choice few_rows{"private_row", {{"wg", 32}, {"chunk", 2048}}};
    CHECK_NOTHROW(explain_gemm(cpu, transposed, few_rows));
    CHECK_NOTHROW(explain_gemm(typical_gpu(), transposed, wide_rows));
    expect_error(ErrorCode::invalid_configuration, [&] { explain_gemm(typical_gpu(), transposed, deep); });
  }

  TEST_CASE("few rows or columns: GPUs read the larger operand once") {
    for (const GemmProblem& problem :
         {GemmProblem{.m = 1, .n = 4096, .k = 4096}, GemmProblem{.m = 4096, .n = 8, .k = 70}})
      CHECK(explain_gemm(typical_gpu(), problem).variant == "group_reduction");
    for (const DataType type : {DataType::f16, DataType::bf16}) {
      CHECK(explain_gemm(typical_nvidia_gpu(), {.type = type, .m = 1, .n = 4096, .k = 4096}).variant ==
            "group_reduction");
      CHECK(explain_gemm(typical_nvidia_gpu(), {.type = type, .m = 64, .n = 64, .k = 64}).variant ==
            "register_blocked");
      CHECK(explain_gemm(typical_cpu(), {.type = type, .m = 64, .n = 64, .k = 64}).variant == "packed_panel");
    }
    CHECK(explain_gemm(typical_gpu(), {.m = 9, .n = 4096, .k = 4096}).variant != "group_reduction");
    CHECK(explain_gemm(typical_cpu(), {.m = 1, .n = 4096, .k = 4096}).variant != "group_reduction");
  }

  TEST_CASE("8-bit integers: GPUs take dot products of four bytes, CPUs panels") {
    for (const DataType type : {DataType::i8, DataType::u8}) {
      const auto chosen = [&](const DeviceProfile& device, std::uint64_t m, std::uint64_t k) {
        return explain_gemm(device, {.type = type, .m = m, .n = 512, .k = k}).variant;
      };
      for (const DeviceProfile& gpu : {typical_gpu(), typical_nvidia_gpu()}) {
        CHECK(chosen(gpu, 512, 512) == "dot4_blocked");
        CHECK(chosen(gpu, 16, 65536) == "dot4_blocked");
        CHECK(chosen(gpu, 1, 512) == "group_reduction");
      }
      CHECK(chosen(typical_cpu(), 512, 512) == "packed_panel");
    }
    CHECK(mentions(gemm_support(typical_gpu(), "dot4_blocked", some_problem).reason, "8 bits"));
    // Blocks of k whose sums are exact in float.
    const auto block = [](DataType type, std::int64_t block_k) {
      return explain_gemm(typical_cpu(), {.type = type, .m = 64, .n = 64, .k = 64},
                          {"packed_panel", {{"block_k", block_k}}});
    };
    CHECK_NOTHROW(block(DataType::i8, 1024));
    CHECK_NOTHROW(block(DataType::u8, 256));
    CHECK(
        mentions(expect_error(ErrorCode::invalid_configuration, [&] { block(DataType::u8, 384); }), "exact in float"));
    expect_error(ErrorCode::invalid_configuration, [&] { block(DataType::i8, 2048); });
  }

  TEST_CASE("few rows or columns for the depth: CPUs take dot products of stored rows") {
    const auto chosen = [](const GemmProblem& problem) { return explain_gemm(typical_cpu(), problem).variant; };
    constexpr Transpose yes = Transpose::yes;
    for (const DataType type : {DataType::f32, DataType::f64}) {
      for (const std::uint64_t m : {1U, 2U, 7U, 16U, 96U}) {
        CAPTURE(m);
        CHECK(chosen({.type = type, .trans_b = yes, .m = m, .n = 4096, .k = 1024}) == "dot_block");
        CHECK(chosen({.type = type, .trans_a = yes, .trans_b = yes, .m = m, .n = 500, .k = 768}) == "dot_block");
        if (m <= 2) continue;
        CHECK(chosen({.type = type, .m = m, .n = 4096, .k = 1024}) == "packed_panel");
        CHECK(chosen({.type = type, .trans_b = yes, .m = m, .n = 4096, .k = 8 * m - 1}) == "packed_panel");
      }
      CHECK(chosen({.type = type, .trans_b = yes, .m = 97, .n = 4096, .k = 4096}) == "packed_panel");
      // One or two fill hardly any panel.
      for (const std::uint64_t lines : {1U, 2U}) {
        CHECK(chosen({.type = type, .trans_b = yes, .m = lines, .n = 4096, .k = 4}) == "dot_block");
        CHECK(chosen({.type = type, .m = 4096, .n = lines, .k = 4}) == "dot_block");
        CHECK(chosen({.type = type, .m = 4096, .n = lines, .k = 3}) == "packed_panel");
      }
      // Columns: where vectors along them would be partly empty.
      for (const Transpose trans_b : {Transpose::no, yes}) {
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 3, .k = 1024}) == "dot_block");
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 9, .k = 1024}) == "dot_block");
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 16, .k = 1024}) == "packed_panel");
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 3, .k = 255}) == "packed_panel");
        CHECK(chosen({.type = type, .trans_a = yes, .trans_b = trans_b, .m = 4096, .n = 9, .k = 1024}) ==
              "packed_panel");
      }
    }
    // Short rows that are used once are read in turn, long ones side by side.
    const auto rows_at_once = [](const GemmProblem& problem) {
      return explain_gemm(typical_cpu(), problem).configuration["item_m"];
    };
    CHECK(rows_at_once({.m = 4096, .n = 1, .k = 1024}) == 1);
    CHECK(rows_at_once({.m = 4096, .n = 1, .k = 1025}) == 8);
    // What must be turned is the smaller operand.
    CHECK(chosen({.trans_b = yes, .m = 40, .n = 5, .k = 4096}) == "dot_block");
    CHECK(chosen({.trans_a = yes, .trans_b = yes, .m = 40, .n = 10, .k = 4096}) == "packed_panel");
    CHECK(chosen({.m = 40, .n = 5, .k = 4096}) == "dot_block");
    CHECK(chosen({.m = 5, .n = 6, .k = 4096}) == "packed_panel");
    // Elements that are converted should be used once only.
    for (const DataType type : {DataType::f16, DataType::bf16}) {
      CHECK(chosen({.type = type, .trans_b = yes, .m = 7, .n = 4096, .k = 1024}) == "packed_panel");
      CHECK(chosen({.type = type, .trans_b = yes, .m = 2, .n = 4096, .k = 1024}) == "group_reduction");
      CHECK(chosen({.type = type, .m = 2, .n = 4096, .k = 1024}) == "packed_panel");
    }
    CHECK(chosen({.layout = Layout::column_major, .trans_a = yes, .m = 4096, .n = 7, .k = 4096}) == "dot_block");
    // In a batch less depth will do.
    const auto batched = [&](std::uint64_t k, std::uint64_t count) {
      return chosen({.trans_b = yes, .m = 7, .n = 42, .k = k, .batch = {.count = count, .stride_c = 7 * 42}});
    };
    CHECK(batched(35, 26) == "dot_block");
    CHECK(batched(34, 26) == "packed_panel");
    CHECK(batched(35, 1) == "packed_panel");
  }

  TEST_CASE("few rows or columns: CPUs add up stored rows of the larger operand") {
    const auto chosen = [](const GemmProblem& problem) { return explain_gemm(typical_cpu(), problem).variant; };
    constexpr Transpose yes = Transpose::yes;
    for (const DataType type : {DataType::f32, DataType::f64}) {
      for (const std::uint64_t lines : {1U, 2U, 4U}) {
        CHECK(chosen({.type = type, .trans_a = yes, .m = 4096, .n = lines, .k = 16}) == "column_walk");
        CHECK(chosen({.type = type, .m = lines, .n = 4096, .k = 64}) == "column_walk");
        CHECK(chosen({.type = type, .m = lines, .n = 4096, .k = 63}) == "packed_panel");
      }
      CHECK(chosen({.type = type, .trans_a = yes, .m = 4096, .n = 8, .k = 16}) == "column_walk");
      CHECK(chosen({.type = type, .trans_a = yes, .m = 4096, .n = 9, .k = 16}) == "packed_panel");
      CHECK(chosen({.type = type, .m = 5, .n = 4096, .k = 64}) == "packed_panel");
    }
    CHECK(chosen({.type = DataType::f16, .trans_a = yes, .m = 4096, .n = 1, .k = 64}) != "column_walk");
    CHECK(explain_gemm(typical_gpu(), {.trans_a = yes, .m = 4096, .n = 1, .k = 4096}).variant == "group_reduction");
  }

  TEST_CASE("k is split where C has few tiles, and only there") {
    const auto slices = [](const GemmProblem& problem) {
      return explain_gemm(typical_gpu(), problem, {"register_blocked", {}}).configuration["slice_k"];
    };
    CHECK(slices({.m = 16, .n = 4096, .k = 4096}) > 0);
    CHECK(slices({.m = 4096, .n = 64, .k = 4096}) > 0);
    CHECK(slices({.m = 256, .n = 256, .k = 65536}) > 0);
    CHECK(slices({.m = 4096, .n = 4096, .k = 4096}) == 0);
    CHECK(slices({.m = 16, .n = 4096, .k = 128}) == 0);
  }

  TEST_CASE("async_tile needs NVIDIA's driver, asynchronous copies and single precision, and is then the default") {
    CHECK(mentions(gemm_support(typical_gpu(), "async_tile", some_problem).reason, "PTX"));
    DeviceProfile device = typical_nvidia_gpu();
    device.architecture.clear();
    CHECK_FALSE(gemm_support(device, "async_tile", some_problem).supported);
    device.architecture = "sm_75";
    CHECK(mentions(gemm_support(device, "async_tile", some_problem).reason, "sm_75"));
    CHECK(explain_gemm(device, some_problem).variant == "register_blocked");
    for (const char* architecture : {"sm_80", "sm_89", "sm_120"}) {
      device.architecture = architecture;
      CHECK(gemm_support(device, "async_tile", some_problem).supported);
      CHECK(explain_gemm(device, some_problem).variant == "async_tile");
      CHECK_FALSE(gemm_support(device, "async_tile", double_problem).supported);
    }
  }

  TEST_CASE("async_tile takes small tiles for a small product, and not for many in one call") {
    DeviceProfile device = typical_nvidia_gpu();
    device.compute_units = 132;
    GemmProblem problem{.m = 128, .n = 128, .k = 128};
    CHECK(explain_gemm(device, problem).configuration["tile_n"] == 32);
    problem.batch = {.count = 256, .stride_a = 128 * 128, .stride_b = 128 * 128, .stride_c = 128 * 128};
    CHECK(explain_gemm(device, problem).configuration["tile_n"] > 32);
  }

  TEST_CASE("static local memory beyond the reported limit is used where the device is known to have it") {
    DeviceProfile device = typical_nvidia_gpu();
    const GemmProblem large{.m = 8192, .n = 8192, .k = 8192};
    const Choice deep{"async_tile", {{"tile_m", 128}, {"tile_n", 256}, {"stages", 3}}};
    expect_error(ErrorCode::invalid_configuration, [&] { explain_gemm(device, large, deep); });
    device.static_local_memory_bytes = 200 << 10;
    CHECK_NOTHROW(explain_gemm(device, large, deep));
  }

  TEST_CASE("supported variants keep the device's limits") {
    for (const std::size_t group : {std::size_t{1}, std::size_t{16}, std::size_t{128}}) {
      DeviceProfile device = typical_gpu();
      device.max_work_group_size = group;
      device.max_work_item_sizes = {group, group, group};
      device.local_memory_bytes = 1 << 10;
      for (const VariantInfo& variant : gemm_variants()) {
        CAPTURE(variant.name);
        const Support support = gemm_support(device, variant.name, some_problem);
        CHECK(support.supported == support.reason.empty());
        if (support.supported) CHECK_NOTHROW(explain_gemm(device, some_problem, {variant.name, {}}));
      }
      CHECK(gemm_support(device, "naive", some_problem).supported);
    }
  }
}

}  // namespace tilewright::test
