// The variant that gemm() chooses without records, by the shape of C. Made-up device profiles replace devices.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "gemm/variant.hpp"
#include "kernels/sizes.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {

namespace {

struct GpuSize {
  unsigned compute_units;
  std::uint64_t memory_bytes;
};

// From a small integrated GPU to the largest data-centre GPU.
constexpr GpuSize gpu_sizes[] = {
    {8, std::uint64_t{1} << 30}, {46, std::uint64_t{8} << 30}, {132, std::uint64_t{80} << 30}};

}  // namespace

TEST_SUITE("policy") {
  TEST_CASE("every variant has a configuration whose private arrays fit GPUs of any size") {
    for (const GpuSize& size : gpu_sizes) {
      DeviceProfile gpu = typical_gpu();
      gpu.compute_units = size.compute_units;
      gpu.global_memory_bytes = size.memory_bytes;
      gpu.private_memory_bytes = detail::private_memory_limit(gpu);
      CAPTURE(gpu.private_memory_bytes);
      DeviceProfile roomy = gpu;
      roomy.private_memory_bytes = std::numeric_limits<std::size_t>::max();
      for (const VariantInfo& variant : gemm_variants())
        for (const DataType type : detail::find_variant<GemmProblem>(variant.name).needs.types)
          for (const std::uint64_t size_of_k : {50U, 3000U})
            for (const Transpose trans_a : {Transpose::no, Transpose::yes})
              for (const Transpose trans_b : {Transpose::no, Transpose::yes}) {
                const GemmProblem problem{
                    .type = type, .trans_a = trans_a, .trans_b = trans_b, .m = 600, .n = 600, .k = size_of_k};
                if (!gemm_support(roomy, variant.name, problem).supported) continue;
                CAPTURE(variant.name);
                CAPTURE(to_string(type));
                CHECK_NOTHROW(explain_gemm(gpu, problem, {variant.name, {}}));
              }
    }
  }

  TEST_CASE("few rows or columns: GPUs read the larger operand only once") {
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

  TEST_CASE("8-bit integers: GPUs use four-byte dot products, CPUs use panels") {
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
    CHECK(mentions(gemm_support(typical_gpu(), "dot4_blocked", {.m = 100, .n = 200, .k = 300}).reason, "8-bit"));
    // Sums over a block of k must be exact in float.
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

  TEST_CASE("packed_panel's blocks fit C, and B is not packed if it is reused little") {
    const auto width = [](const GemmProblem& problem) {
      return explain_gemm(typical_cpu(), problem, {"packed_panel", {}}).configuration["item_n"];
    };
    const std::int64_t widest = width({.m = 500, .n = 4096, .k = 500});
    for (std::uint64_t n = 1; n < 300; ++n) {
      CAPTURE(n);
      const std::int64_t many_rows = width({.m = 4000, .n = n, .k = 500});
      CHECK(many_rows <= widest);
      CHECK(detail::rounded_up(n, many_rows) <= detail::rounded_up(n, widest));
      const std::int64_t few_rows = width(
          {.m = 8, .n = n, .k = 30, .batch = {.count = 100, .stride_a = 240, .stride_b = n * 30, .stride_c = n * 8}});
      if (n >= 16) CHECK(few_rows <= static_cast<std::int64_t>(n));  // a wider B would be packed
    }
  }

  TEST_CASE("few rows or columns and large k: CPUs take dot products of stored rows") {
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
      // One or two lines hardly fill a panel.
      for (const std::uint64_t lines : {1U, 2U}) {
        CHECK(chosen({.type = type, .trans_b = yes, .m = lines, .n = 4096, .k = 4}) == "dot_block");
        CHECK(chosen({.type = type, .m = 4096, .n = lines, .k = 4}) == "dot_block");
        CHECK(chosen({.type = type, .m = 4096, .n = lines, .k = 3}) == "packed_panel");
      }
      // Columns, where vectors along them would be partly empty.
      for (const Transpose trans_b : {Transpose::no, yes}) {
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 3, .k = 1024}) == "dot_block");
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 9, .k = 1024}) == "dot_block");
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 16, .k = 1024}) == "packed_panel");
        CHECK(chosen({.type = type, .trans_b = trans_b, .m = 4096, .n = 3, .k = 255}) == "packed_panel");
        CHECK(chosen({.type = type, .trans_a = yes, .trans_b = trans_b, .m = 4096, .n = 9, .k = 1024}) ==
              "packed_panel");
      }
    }
    // Half-vector panels are narrower but not faster.
    CHECK(chosen({.m = 1000, .n = 20, .k = 2000}) == "dot_block");
    CHECK(chosen({.m = 1000, .n = 24, .k = 2000}) == "dot_block");
    CHECK(chosen({.m = 1000, .n = 37, .k = 2000}) == "packed_panel");
    // Short rows that are used once are read one after another, long rows concurrently.
    const auto rows_at_once = [](const GemmProblem& problem) {
      return explain_gemm(typical_cpu(), problem).configuration["item_m"];
    };
    CHECK(rows_at_once({.m = 4096, .n = 1, .k = 1024}) == 1);
    CHECK(rows_at_once({.m = 4096, .n = 1, .k = 1025}) == 8);
    // dot_block is chosen only if the smaller operand is the one to transpose.
    CHECK(chosen({.trans_b = yes, .m = 40, .n = 5, .k = 4096}) == "dot_block");
    CHECK(chosen({.trans_a = yes, .trans_b = yes, .m = 40, .n = 10, .k = 16384}) == "packed_panel");
    CHECK(chosen({.m = 40, .n = 5, .k = 4096}) == "dot_block");
    CHECK(chosen({.m = 5, .n = 6, .k = 4096}) == "packed_panel");
    // Elements that need a conversion should be used only once.
    for (const DataType type : {DataType::f16, DataType::bf16}) {
      CHECK(chosen({.type = type, .trans_b = yes, .m = 7, .n = 4096, .k = 1024}) == "packed_panel");
      CHECK(chosen({.type = type, .trans_b = yes, .m = 2, .n = 4096, .k = 1024}) == "group_reduction");
      CHECK(chosen({.type = type, .m = 2, .n = 4096, .k = 1024}) == "packed_panel");
    }
    CHECK(chosen({.layout = Layout::column_major, .trans_a = yes, .m = 4096, .n = 7, .k = 4096}) == "dot_block");
    // A batch needs a smaller k for dot_block.
    const auto batched = [&](std::uint64_t k, std::uint64_t count) {
      return chosen({.trans_b = yes, .m = 7, .n = 42, .k = k, .batch = {.count = count, .stride_c = 7 * 42}});
    };
    CHECK(batched(35, 26) == "dot_block");
    CHECK(batched(34, 26) == "packed_panel");
    CHECK(batched(35, 1) == "packed_panel");
  }

  TEST_CASE("few rows or columns: CPUs accumulate stored rows of the larger operand") {
    const auto chosen = [](const GemmProblem& problem) { return explain_gemm(typical_cpu(), problem).variant; };
    constexpr Transpose yes = Transpose::yes;
    for (const DataType type : {DataType::f32, DataType::f64}) {
      for (const std::uint64_t lines : {1U, 2U, 4U}) {
        CHECK(chosen({.type = type, .trans_a = yes, .m = 4096, .n = lines, .k = 16}) == "column_walk");
        // Rows of B that begin in the same cache sets.
        CHECK(chosen({.type = type, .m = lines, .n = 4096, .k = 64}) == (lines <= 2 ? "column_walk" : "packed_panel"));
        CHECK(chosen({.type = type, .m = lines, .n = 4096, .k = 63}) == "packed_panel");
        CHECK(chosen({.type = type, .m = lines, .n = 4000, .k = 64}) == "packed_panel");
        CHECK(chosen({.type = type, .m = lines, .n = 4096, .k = 64, .ldb = 4112}) == "packed_panel");
        CHECK(chosen({.type = type, .m = lines, .n = 64, .k = 4000}) == "packed_panel");
        CHECK(chosen({.type = type, .m = lines, .n = 63, .k = 4000}) == "column_walk");
      }
      CHECK(chosen({.type = type, .trans_a = yes, .m = 4096, .n = 8, .k = 16}) == "column_walk");
      CHECK(chosen({.type = type, .trans_a = yes, .m = 4096, .n = 9, .k = 16}) == "packed_panel");
    }
    // Rows of B that come from memory are long enough to be read from beginning to end, most of all if they are few.
    DeviceProfile with_cache = typical_cpu();
    with_cache.global_cache_bytes = 32 << 20;
    const auto from_memory = [&](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
      return explain_gemm(with_cache, {.m = m, .n = n, .k = k}).variant == "column_walk";
    };
    for (const std::uint64_t m : {1U, 3U, 4U}) CHECK(from_memory(m, 3000, 3001));
    CHECK_FALSE(from_memory(5, 3000, 3001));
    CHECK(from_memory(8, 32 * 400, 400));
    CHECK_FALSE(from_memory(9, 32 * 400, 400));
    CHECK_FALSE(from_memory(8, 32 * 400 - 1, 400));
    CHECK_FALSE(from_memory(4, 2000, 2000));
    CHECK(from_memory(4, 3000, 6000));
    CHECK_FALSE(from_memory(4, 3000, 6001));
    CHECK_FALSE(from_memory(2, 255, 60000));
    CHECK(from_memory(2, 256, 60000));
    CHECK(chosen({.m = 3, .n = 3000, .k = 3001}) == "packed_panel");
    const auto lines_at_once = [](std::uint64_t n) {
      return explain_gemm(typical_cpu(), {.trans_a = yes, .m = 4096, .n = n, .k = 16}, {"column_walk", {}})
          .configuration["thin"];
    };
    const auto eight_lines = [&](std::uint64_t m, std::uint64_t k) {
      const Configuration chosen = explain_gemm(with_cache, {.trans_a = yes, .m = m, .n = 8, .k = k}).configuration;
      return std::pair{chosen["unroll"], chosen["block"]};
    };
    using Entries = std::pair<std::int64_t, std::int64_t>;
    CHECK(eight_lines(4096, 1024) == Entries{4, 512});
    CHECK(eight_lines(4097, 1024) == Entries{8, 4096});
    CHECK(eight_lines(4200, 1023) == Entries{8, 1024});
    for (const auto& [n, lines] : {std::pair{1, 1}, {2, 2}, {3, 4}, {5, 8}, {8, 8}, {9, 4}})
      CHECK(lines_at_once(static_cast<std::uint64_t>(n)) == lines);
    // Packing the panels of a small product would take longer than the product.
    const auto small = [&](std::uint64_t m, std::uint64_t n, std::uint64_t k, std::uint64_t count = 0) {
      return chosen(
          {.trans_a = yes, .trans_b = yes, .m = m, .n = n, .k = k, .batch = {.count = count, .stride_c = m * n}});
    };
    CHECK(small(32, 20, 2441) == "column_walk");
    CHECK(small(200, 16, 1000) == "column_walk");
    CHECK(small(200, 16, 2000) == "packed_panel");
    CHECK(small(200, 16, 199) == "packed_panel");
    CHECK(small(32, 21, 2441) == "packed_panel");
    CHECK(small(32, 20, 2441, 9) == "packed_panel");
    CHECK(chosen({.type = DataType::f16, .trans_a = yes, .m = 4096, .n = 1, .k = 64}) != "column_walk");
    CHECK(explain_gemm(typical_gpu(), {.trans_a = yes, .m = 4096, .n = 1, .k = 4096}).variant == "group_reduction");
  }

  TEST_CASE("complex products: CPUs expand B only if it has few columns and A is not transposed") {
    constexpr Transpose no = Transpose::no, yes = Transpose::yes;
    for (const DataType type : {DataType::c64, DataType::c128}) {
      const auto chosen = [&](Transpose trans_a, Transpose trans_b, std::uint64_t m, std::uint64_t n) {
        const GemmProblem problem{.type = type, .trans_a = trans_a, .trans_b = trans_b, .m = m, .n = n, .k = 1024};
        const Explanation explanation = explain_gemm(typical_cpu(), problem);
        for (const Candidate& candidate : explanation.candidates)
          if (candidate.variant == explanation.variant) CHECK(candidate.configuration == explanation.configuration);
        return explanation.variant;
      };
      for (const Transpose trans_b : {no, yes})
        for (const std::uint64_t lines : {1U, 2U, 3U, 4U, 8U}) {
          CAPTURE(lines);
          for (const Transpose trans_a : {no, yes}) CHECK(chosen(trans_a, trans_b, lines, 4096) == "packed_panel");
          if (lines != 2)  // four reals may fill a vector
            CHECK(chosen(no, trans_b, 4096, lines) == (lines <= 3 ? "dot_block" : "packed_panel"));
          CHECK(chosen(yes, trans_b, 4096, lines) == "packed_panel");
        }
      const auto packs = [&](std::uint64_t m) {
        return explain_gemm(typical_cpu(), {.type = type, .m = m, .n = 512, .k = 512}).configuration["pack_b"];
      };
      CHECK(packs(12) == 0);
      CHECK(packs(100) == 2);
      CHECK(explain_gemm(typical_gpu(), {.type = type, .m = 1, .n = 4096, .k = 4096}).variant == "group_reduction");
    }
  }

  TEST_CASE("k is split only where C has few tiles") {
    const auto slices = [](const GemmProblem& problem) {
      return explain_gemm(typical_gpu(), problem, {"register_blocked", {}}).configuration["slice_k"];
    };
    CHECK(slices({.m = 16, .n = 4096, .k = 4096}) > 0);
    CHECK(slices({.m = 4096, .n = 64, .k = 4096}) > 0);
    CHECK(slices({.m = 256, .n = 256, .k = 65536}) > 0);
    CHECK(slices({.m = 4096, .n = 4096, .k = 4096}) == 0);
    CHECK(slices({.m = 16, .n = 4096, .k = 128}) == 0);
  }
}

}  // namespace tilewright::test
