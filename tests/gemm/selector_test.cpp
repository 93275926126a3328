// The selector's choices and their explanations, on made-up device profiles: no device is needed.
#include "gemm/selector.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {
namespace {

const GemmProblem some_problem{.m = 100, .n = 200, .k = 300};
const GemmProblem double_problem{.type = DataType::f64, .m = 100, .n = 200, .k = 300};

}  // namespace

TEST_SUITE("selector") {
  TEST_CASE("the ladder is complete and ordered, and every variant explains itself") {
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
    // In order from the simplest variant, without duplicates.
    REQUIRE_FALSE(names.empty());
    CHECK(names.front() == "naive");
    CHECK(std::set(names.begin(), names.end()).size() == names.size());
  }

  TEST_CASE("every variant has its kernel file, its host file and its documentation") {
    const std::filesystem::path source = TILEWRIGHT_TEST_SOURCE;
    std::ifstream file(source / "docs" / "ladder.md");
    const std::string ladder{std::istreambuf_iterator<char>(file), {}};
    std::size_t before = 0;
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      CHECK(std::filesystem::exists(source / "cl" / "gemm" / (variant.name + ".cl")));
      CHECK(std::filesystem::exists(source / "src" / "gemm" / "variants" / (variant.name + ".cpp")));
      CHECK_MESSAGE(std::filesystem::exists(source / "docs" / "ladder" / (variant.name + ".svg")),
                    "add its picture to tools/kernel_pictures.py, and run tools/draw-kernels.py");
      const std::size_t heading = ladder.find("\n## `" + variant.name + "`\n");
      REQUIRE_MESSAGE(heading != std::string::npos, "docs/ladder.md has no section headed by its name in backquotes");
      CHECK_MESSAGE(heading > before, "its section of docs/ladder.md is not in the order of cmake/Variants.cmake");
      before = heading;
    }
  }

  TEST_CASE("an explanation covers every variant and chooses a supported one") {
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

  TEST_CASE("an explained choice can be requested entirely or in part") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()})
      for (const Candidate& candidate : explain_gemm(device, some_problem).candidates) {
        CAPTURE(device.name);
        CAPTURE(candidate.variant);
        if (!candidate.supported) {
          expect_error(ErrorCode::unsupported_variant, [&] {
            return explain_gemm(device, some_problem, {candidate.variant, {}});
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

  TEST_CASE("CPUs and GPUs get different variants") {
    CHECK(explain_gemm(typical_gpu(), some_problem).configuration !=
          explain_gemm(typical_cpu(), some_problem).configuration);
  }

  TEST_CASE("every strategy is valid where its variant is supported") {
    GemmProblem in_half = some_problem;
    in_half.type = DataType::f16;
    for (const VariantInfo& variant : gemm_variants())
      for (const Configuration& strategy : variant.strategies) {
        CAPTURE(variant.name);
        const bool plain = gemm_support(typical_gpu(), variant.name, some_problem).supported;
        const auto explanation = explain_gemm(plain ? typical_gpu() : typical_hopper(), plain ? some_problem : in_half,
                                              {variant.name, strategy});
        for (const auto& [name, value] : strategy) CHECK(explanation.configuration[name] == value);
      }
  }

  TEST_CASE("tiles of warpgroups and blocks of teams have limits") {
    GemmProblem in_half = some_problem;
    in_half.type = DataType::f16;
    const auto refuse = [&](const std::string& variant, const Configuration& configuration) {
      CAPTURE(to_string(configuration));
      expect_error(ErrorCode::invalid_configuration, [&] {
        return explain_gemm(typical_hopper(), in_half, {variant, configuration});
      });
    };
    refuse("tensor_warpgroup", {{"tile_m", 64}, {"tile_n", 32}, {"stages", 2}});
    refuse("tensor_warpgroup", {{"tile_m", 320}, {"tile_n", 64}, {"stages", 2}});
    refuse("team_per_product", {{"item_m", 3}});
    refuse("team_per_product", {{"item_m", 4}, {"item_n", 16}});
  }

  TEST_CASE("double precision needs a device that has it") {
    DeviceProfile device = typical_gpu();
    device.fp64 = false;
    device.native_vector_width_f64 = 0;
    device.extensions.clear();
    const auto message =
        expect_error(ErrorCode::unsupported_type, [&] { return explain_gemm(device, double_problem); });
    CHECK(mentions(message, device.name));
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      const Support support = gemm_support(device, variant.name, double_problem);
      CHECK_FALSE(support.supported);
      CHECK_FALSE(support.reason.empty());
      CHECK(gemm_support(device, variant.name, some_problem).supported ==
            gemm_support(typical_gpu(), variant.name, some_problem).supported);
      expect_error(ErrorCode::unsupported_type, [&] {
        return explain_gemm(device, double_problem, {variant.name, {}});
      });
    }
    CHECK_NOTHROW(explain_gemm(typical_gpu(), double_problem));
  }

  TEST_CASE("texel_blocked needs large enough images and single precision") {
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

  TEST_CASE("tensor_f64 needs f64 tensor cores, and is then the default") {
    DeviceProfile device = typical_gpu();
    CHECK(explain_gemm(device, double_problem).variant != "tensor_f64");
    CHECK_FALSE(gemm_support(device, "tensor_f64", double_problem).supported);
    device.fp64_tensor_cores = true;
    CHECK(gemm_support(device, "tensor_f64", double_problem).supported);
    CHECK(explain_gemm(device, double_problem).variant == "tensor_f64");
    CHECK_FALSE(gemm_support(device, "tensor_f64", some_problem).supported);
  }

  TEST_CASE("16-bit elements use tensor cores, by warpgroups if the device has them") {
    DeviceProfile device = typical_nvidia_gpu();
    device.static_local_memory_bytes = 226 << 10;
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

  TEST_CASE("16-bit elements, few columns: rows of A that are not whole vectors are read once, without tensor cores") {
    DeviceProfile device = typical_nvidia_gpu();
    device.compute_units = 132;
    device.static_local_memory_bytes = 226 << 10;
    device.tensor_cores = device.warpgroup_tensor_cores = true;
    for (const DataType type : {DataType::f16, DataType::bf16}) {
      const auto chosen = [&](std::uint64_t m) {
        return explain_gemm(device, {.type = type, .trans_a = Transpose::yes, .m = m, .n = 2, .k = 9565}).variant;
      };
      CHECK(chosen(9153) == "group_reduction");
      CHECK(chosen(9152) == "tensor_core");
    }
  }

  TEST_CASE("large tensor-core operands are copied if their rows are not whole vectors") {
    DeviceProfile device = typical_nvidia_gpu();
    device.static_local_memory_bytes = 226 << 10;
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
    // Rows may end within a vector if they start at one.
    CHECK_FALSE(aligned({.m = 4095, .n = 4095, .k = 4095, .lda = 4096, .ldb = 4096}));
  }

  TEST_CASE("local memory beyond the reported limit is offered only to variants that can use it") {
    DeviceProfile device = typical_gpu();
    device.fp64_tensor_cores = true;
    const Choice large{"tensor_f64", {{"tile_m", 128}, {"tile_n", 128}, {"stages", 4}}};
    expect_error(ErrorCode::invalid_configuration, [&] { return explain_gemm(device, double_problem, large); });
    device.static_local_memory_bytes = 226 << 10;
    CHECK_NOTHROW(explain_gemm(device, double_problem, large));
    const Choice other{"register_blocked", {{"tile_m", 256}, {"tile_n", 256}, {"tile_k", 32}}};
    expect_error(ErrorCode::invalid_configuration, [&] { return explain_gemm(device, some_problem, other); });
  }

  TEST_CASE("private arrays fit a CPU's stack for a work-group, and a GPU's limit for a work-item") {
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
          expect_error(ErrorCode::invalid_configuration, [&] { return explain_gemm(cpu, transposed, choice); });
      CHECK(mentions(message, "private arrays"));
    }
    const Choice few_rows{"private_row", {{"wg", 32}, {"chunk", 2048}}};
    CHECK_NOTHROW(explain_gemm(cpu, transposed, few_rows));
    CHECK_NOTHROW(explain_gemm(typical_gpu(), transposed, wide_rows));
    expect_error(ErrorCode::invalid_configuration, [&] { return explain_gemm(typical_gpu(), transposed, deep); });
  }

  TEST_CASE("async_tile needs NVIDIA's driver, asynchronous copies and f32, and is then the default") {
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

  TEST_CASE("async_tile takes small tiles for one small product, but not for a batch of many") {
    DeviceProfile device = typical_nvidia_gpu();
    device.compute_units = 132;
    GemmProblem problem{.m = 128, .n = 128, .k = 128};
    const auto tile = [&] {
      const Configuration configuration = explain_gemm(device, problem).configuration;
      return configuration["tile_m"] * configuration["tile_n"];
    };
    CHECK(tile() <= 32 * 64);
    problem.batch = {.count = 256, .stride_a = 128 * 128, .stride_b = 128 * 128, .stride_c = 128 * 128};
    CHECK(tile() > 32 * 64);
  }

  TEST_CASE("static local memory beyond the reported limit is used only on devices known to have it") {
    DeviceProfile device = typical_nvidia_gpu();
    const GemmProblem large{.m = 8192, .n = 8192, .k = 8192};
    const Choice deep{"async_tile", {{"tile_m", 128}, {"tile_n", 256}, {"stages", 3}}};
    expect_error(ErrorCode::invalid_configuration, [&] { return explain_gemm(device, large, deep); });
    device.static_local_memory_bytes = 200 << 10;
    CHECK_NOTHROW(explain_gemm(device, large, deep));
  }

  TEST_CASE("if a compiled kernel lacks resources, the variant's other configurations are tried") {
    const DeviceProfile device = typical_cpu();
    const GemmProblem problem = detail::normalized(some_problem);
    std::vector<Configuration> tried;
    const auto try_until = [&](const Choice& choice, std::size_t enough) {
      const auto selection = detail::select<GemmProblem>(device, {}, problem, choice);
      tried.clear();
      detail::compile_first(selection, problem, device, [&](const detail::ParameterValues& values) {
        tried.push_back(configuration_of(*selection.variant, values));
        return tried.size() == enough;
      });
    };
    for (const Choice& choice : {Choice{}, Choice{"packed_panel", {}}}) {
      CAPTURE(choice.variant);
      try_until(choice, 2);
      CHECK(tried.size() == 2);
      CHECK(tried.front() == explain_gemm(device, some_problem).configuration);
      CHECK_FALSE(tried.front() == tried.back());
      CHECK(mentions(expect_error(ErrorCode::invalid_configuration, [&] { try_until(choice, 1000); }),
                     to_string(tried.back())));
    }
    CHECK_NOTHROW(try_until({"packed_panel", {{"unroll", 4}}}, 2));
    for (const Configuration& configuration : tried) CHECK(configuration["unroll"] == 4);
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
