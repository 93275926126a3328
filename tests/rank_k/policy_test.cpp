// The blocks of rank-k updates: few launches, and a workspace that does not grow like C.
#include "rank_k/policy.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/element_type.hpp"
#include "rank_k/joined_factors.hpp"
#include "rank_k/steps.hpp"

namespace tilewright::detail {
namespace {

DeviceProfile device_of(DeviceType type) {
  DeviceProfile device;
  device.type = type;
  device.fp64 = true;
  device.max_work_group_size = 1024;
  device.max_work_item_sizes = {1024, 1024, 64};
  return device;
}

std::uint64_t workspace_bytes(const RankKSystem& system, const RankKShape& shape) {
  return tile_stride(system, shape.block) * accumulator_bytes(system.type);
}

}  // namespace

TEST_SUITE("rank-k policy") {
  TEST_CASE("launches are counted as the steps need them") {
    const DeviceProfile device = device_of(DeviceType::cpu);
    for (std::uint64_t n = 1; n <= 300; n += 7)
      for (const std::uint64_t block : {16U, 32U, 48U})
        for (const std::uint64_t grid : {2U, 4U, 8U, 16U})
          for (const bool has_b : {false, true}) {
            CAPTURE(n);
            CAPTURE(block);
            CAPTURE(grid);
            const RankKSystem system = has_b ? rank_k_system(Syr2kProblem{.n = n, .k = 3}, device)
                                             : rank_k_system(SyrkProblem{.n = n, .k = 3}, device);
            const std::uint64_t used = std::min(block, n);
            const RankKSteps steps = rank_k_steps(system, used, grid);
            std::uint64_t launches = 1 + steps.tiles.size();
            for (const auto& of_term : steps.squares) launches += of_term.size();
            CHECK(launch_count(system, used, grid) == launches);
          }
  }

  TEST_CASE("the blocks of common updates") {
    struct Row {
      std::uint64_t n, k, cpu_block, cpu_launches, gpu_block, gpu_launches;
    };
    constexpr Row rows[] = {{128, 64, 128, 2, 128, 2},  {512, 1, 64, 3, 512, 2},   {512, 8, 64, 3, 512, 2},
                            {512, 64, 64, 3, 512, 2},   {512, 512, 64, 5, 512, 2}, {2048, 1, 64, 3, 64, 3},
                            {2048, 8, 64, 4, 128, 3},   {2048, 64, 64, 6, 256, 3}, {2048, 512, 64, 7, 256, 3},
                            {4096, 1, 64, 4, 128, 3},   {4096, 8, 64, 6, 128, 3},  {4096, 64, 64, 8, 256, 3},
                            {4096, 512, 64, 8, 256, 4}, {16384, 1, 64, 8, 256, 4}, {16384, 64, 64, 10, 128, 7}};
    for (const Row& row : rows) {
      CAPTURE(row.n);
      CAPTURE(row.k);
      for (const DeviceType type : {DeviceType::cpu, DeviceType::gpu}) {
        const DeviceProfile device = device_of(type);
        const RankKSystem system = rank_k_system(SyrkProblem{.n = row.n, .k = row.k}, device);
        const RankKShape shape = rank_k_shape(system, device);
        const bool is_cpu = type == DeviceType::cpu;
        CHECK(shape.block == (is_cpu ? row.cpu_block : row.gpu_block));
        CHECK(launch_count(system, shape.block, shape.grid) == (is_cpu ? row.cpu_launches : row.gpu_launches));
      }
    }
  }

  TEST_CASE("on CPUs, rank-2k updates of a common size add the transpose of one product") {
    const DeviceProfile cpu = device_of(DeviceType::cpu), gpu = device_of(DeviceType::gpu);
    const auto syr2k = [&](std::uint64_t n, std::uint64_t k) {
      return rank_k_system(Syr2kProblem{.n = n, .k = k}, cpu);
    };
    CHECK(prefers_triangles(rank_k_system(SyrkProblem{.n = 100, .k = 100}, cpu), cpu));
    CHECK(prefers_triangles(syr2k(100, 100), gpu));
    CHECK_FALSE(prefers_triangles(syr2k(100, 16), cpu));
    CHECK(prefers_triangles(syr2k(512, 128), cpu));
    CHECK_FALSE(prefers_triangles(syr2k(1024, 1024), cpu));
    CHECK(prefers_triangles(syr2k(2048, 2048), cpu));
  }

  // Without the traffic in the costs, an update with k = 1 had a workspace as large as C, of 1 GB for n = 16384.
  TEST_CASE("the workspace has a fixed size, or consists of small blocks") {
    constexpr std::uint64_t most = std::uint64_t{16} << 20;
    for (const DeviceType type : {DeviceType::cpu, DeviceType::gpu}) {
      const DeviceProfile device = device_of(type);
      for (const DataType element : {DataType::f16, DataType::f32, DataType::f64, DataType::c128})
        for (const std::uint64_t n : {512U, 1000U, 2048U, 5000U, 16384U, 65536U})
          for (const std::uint64_t k : {1U, 8U, 64U, 512U})
            for (const bool has_b : {false, true}) {
              CAPTURE(n);
              CAPTURE(k);
              RankKSystem system = has_b ? rank_k_system(Syr2kProblem{.type = element, .n = n, .k = k}, device)
                                         : rank_k_system(SyrkProblem{.type = element, .n = n, .k = k}, device);
              if (needs_joined_factors(system)) system = joined_system(system);
              const RankKShape shape = rank_k_shape(system, device);
              CHECK(workspace_bytes(system, shape) <= std::max(most, n * 128 * accumulator_bytes(element)));
              if (n >= 5000) CHECK(shape.block <= n / 4);
            }
    }
  }
}

}  // namespace tilewright::detail
