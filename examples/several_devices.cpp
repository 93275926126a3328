// A product of matrices in host memory on every device of the host.

#include <cstdint>
#include <cstdio>
#include <tilewright/device_group.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::uint64_t size = 512;
  const std::vector<float> a(size * size, 1), b(size * size, 2);
  std::vector<float> c(size * size);

  const DeviceGroup group = DeviceGroup::all();
  const DeviceGroupReport report =
      group.gemm({.m = size, .n = size, .k = size}, {.a = a.data(), .b = b.data(), .c = c.data()});
  std::printf("%s\n", to_string(report).c_str());
  return is_close("the last element", c.back(), 2.0 * size) ? 0 : 1;
}
