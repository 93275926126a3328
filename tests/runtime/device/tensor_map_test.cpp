// Tensor maps have the bits that NVIDIA's driver writes.
#include "runtime/device/tensor_map.hpp"

#include <doctest/doctest.h>

#include <map>

#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

// The words that are not 0, by index.
std::map<int, std::uint32_t> words_of(const detail::BoxedMatrix& matrix) {
  const detail::TensorMap map = detail::tensor_map(matrix);
  std::map<int, std::uint32_t> words;
  for (int x = 0; x < static_cast<int>(map.size()); ++x)
    if (map[static_cast<std::size_t>(x)] != 0) words[x] = map[static_cast<std::size_t>(x)];
  return words;
}

}  // namespace

TEST_SUITE("tensor maps") {
  // The expected words have the fields that cuTensorMapEncodeTiled of driver 580 wrote when one argument after another
  // was varied. Strides are `ld` elements, 16 and 2^32 bytes, and the last two sizes 2^28 and 2^17.
  TEST_CASE("a map has the fields that the driver writes") {
    CHECK(words_of({.element = 2, .columns = 1000, .rows = 333, .ld = 1032, .box_columns = 64, .box_rows = 32}) ==
          std::map<int, std::uint32_t>{{2, 0x60b0},
                                       {3, 0x81},
                                       {4, 1},
                                       {5, 0x10000000},
                                       {8, 999},
                                       {9, 332},
                                       {10, 0x0fffffff},
                                       {11, 0x1ffff},
                                       {13, 0x3f000000},
                                       {14, 31},
                                       {16, 4096},
                                       {18, 1024}});
    count_cases();
  }

  TEST_CASE("the type, long strides and large boxes have their bits") {
    CHECK(words_of({.element = 1, .box_columns = 128}).at(2) == 0x6030);
    CHECK(words_of({.element = 4, .box_columns = 32}).at(2) == 0x6130);
    const auto large = words_of({.element = 4,
                                 .columns = detail::max_boxed_size,
                                 .rows = detail::max_boxed_size,
                                 .ld = detail::max_boxed_ld / 4,
                                 .box_columns = 32,
                                 .box_rows = 256});
    CHECK(large.at(3) == 0xffffffff);
    CHECK(large.at(7) == 0xf);
    CHECK(large.at(8) == detail::max_boxed_size - 1);
    CHECK(large.at(9) == detail::max_boxed_size - 1);
    CHECK(large.at(14) == 255);
    count_cases();
  }

  TEST_CASE("an empty matrix has a map") {
    CHECK(words_of({.element = 2, .columns = 0, .rows = 0, .ld = 8, .box_columns = 64}).count(8) == 0);
    count_cases();
  }
}

}  // namespace tilewright::test
