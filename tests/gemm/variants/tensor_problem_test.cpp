// Products as the kernels for NVIDIA's tensor cores compute them, on a made-up device profile.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gemm/variants/tensor_tiles.hpp"
#include "selection/usable_configurations.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail::gemm_variants {
extern const GemmVariant tensor_core, tensor_warpgroup;
}

namespace tilewright::test {

TEST_SUITE("tensor problem") {
  TEST_CASE("tiles that exceed local memory are not preferred") {
    const DeviceProfile device = typical_hopper();
    const auto& variant = detail::gemm_variants::tensor_warpgroup;
    for (const std::uint64_t n : {96U, 160U, 224U, 480U, 1000U, 3000U})
      for (const std::uint64_t m : {64U, 200U, 1000U, 3000U}) {
        CAPTURE(m);
        CAPTURE(n);
        // Rows of B across k: 64 columns at a time are in local memory.
        const GemmProblem problem = detail::normalized({.type = DataType::f16, .m = m, .n = n, .k = 2048});
        for (const detail::ParameterValues& values : variant.preferences(problem, device))
          CHECK(variant.memory.local_bytes(values, problem) <= device.static_local_memory_bytes);
      }
  }

  TEST_CASE("kernels without boxes leave registers for all groups of a compute unit") {
    const DeviceProfile device = typical_hopper();
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

  TEST_CASE("rows of C that are whole vectors are stored in vectors of at most 16 bytes") {
    const auto stores = [](GemmProblem problem, std::string_view width) {
      const std::string options = detail::TensorProblem{detail::normalized(problem), 0}.options();
      return options.find(" -DSTORE_C=" + std::string(width)) != std::string::npos;
    };
    constexpr std::uint64_t m = 64, k = 64;
    CHECK(stores({.type = DataType::f16, .m = m, .n = 72, .k = k}, "8"));
    CHECK(stores({.type = DataType::bf16, .m = m, .n = 76, .k = k}, "1"));
    CHECK(stores({.type = DataType::f16, .type_c = DataType::f32, .m = m, .n = 76, .k = k}, "4"));
    CHECK(stores({.type = DataType::f32, .accuracy = Accuracy::tf32, .m = m, .n = 76, .k = k}, "4"));
    CHECK(stores({.type = DataType::i8, .m = m, .n = 76, .k = k}, "4"));
    CHECK(stores({.type = DataType::i8, .m = m, .n = 78, .k = k}, "1"));
    CHECK(stores({.type = DataType::i8, .type_c = DataType::f32, .m = m, .n = 76, .k = k}, "4"));
    CHECK(stores({.type = DataType::i8, .type_c = DataType::i8, .m = m, .n = 72, .k = k}, "8"));
    CHECK(stores({.type = DataType::i8, .type_c = DataType::i8, .m = m, .n = 76, .k = k}, "1"));
    CHECK(stores({.type = DataType::i8, .m = m, .n = 76, .k = k, .offset_alignment = 2}, "1"));
  }

  TEST_CASE("boxes have no more lines than the matrix, rounded up to 8, 16 or a multiple of 32") {
    const DeviceProfile device = typical_hopper();
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
    CHECK(boxes({.type = DataType::f16, .m = 17, .n = 600, .k = 704}) == "BOX_LINES_A=32 -DBOX_LINES_B=96");
    CHECK(boxes({.type = DataType::f16, .trans_b = yes, .m = 65, .n = 9, .k = 704}) ==
          "BOX_LINES_A=64 -DBOX_LINES_B=16");
    CHECK(boxes({.type = DataType::f16, .trans_b = yes, .m = 136, .n = 9, .k = 704}, 192) ==
          "BOX_LINES_A=160 -DBOX_LINES_B=16");
    // Products by parts take whole tiles.
    CHECK(boxes({.type = DataType::f32, .accuracy = Accuracy::fp32_split, .trans_b = yes, .m = 4, .n = 9, .k = 704}) ==
          "BOX_LINES_A=64 -DBOX_LINES_B=96");
  }

  TEST_CASE("narrow C: few groups read the small operand again, and chunks in registers wait for memory") {
    const auto choice = [](std::uint64_t m, std::uint64_t n, std::uint64_t k, Transpose trans_b) {
      return explain_gemm(
          typical_hopper(),
          {.type = DataType::f16, .trans_a = Transpose::yes, .trans_b = trans_b, .m = m, .n = n, .k = k});
    };
    // Measured: 115 us with 64 columns, 86 with 128; 69 us with 64 rows, 52 with 128; 209 us by
    // tensor_warpgroup, 101 by tensor_core.
    const Explanation wide = choice(24, 9120, 12376, Transpose::yes), tall = choice(10992, 40, 6328, Transpose::no);
    CHECK(wide.variant == "tensor_warpgroup");
    CHECK(wide.configuration["tile_n"] >= 128);
    CHECK(tall.variant == "tensor_warpgroup");
    CHECK(tall.configuration["tile_m"] >= 128);
    CHECK(choice(31, 9897, 10307, Transpose::yes).variant == "tensor_core");
  }

  TEST_CASE(
      "tensor cores read a column of adjacent elements as a row, and a single row whatever its distance to a next "
      "one") {
    const DeviceProfile device = typical_hopper();
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
    const DeviceProfile device = typical_hopper();
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
    const DeviceProfile device = typical_hopper();
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
    DeviceProfile device = typical_hopper();
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
