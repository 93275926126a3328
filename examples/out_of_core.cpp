// A product of matrices in host memory with a limit on device memory, and its progress.

#include <cstdint>
#include <cstdio>
#include <tilewright/device.hpp>
#include <tilewright/engine.hpp>
#include <tilewright/out_of_core.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::uint64_t size = 600;
  const Engine engine(pick_device());
  const std::vector<float> a(size * size, 1), b(size * size, 2);
  std::vector<float> c(size * size);

  // All device memory of the call together: 16 MiB.
  const OutOfCoreReport report = gemm_out_of_core(
      engine, {.m = size, .n = size, .k = size}, {.a = a.data(), .b = b.data(), .c = c.data()}, {.memory = 16 << 20},
      {.tile_done = [](const ResultTile& tile) {
        std::printf("rows %d, columns %d: done\n", static_cast<int>(tile.row), static_cast<int>(tile.column));
      }});
  const bool right = is_close("the last element", c.back(), 2.0 * size);
  return right && !report.cancelled ? 0 : 1;
}
