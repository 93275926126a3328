#include "runtime/system/stream_copy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilewright::detail {

TEST_SUITE("stream copy") {
  TEST_CASE("bytes of any number, from and to any address, are copied, and no others are written") {
    constexpr std::size_t margin = 80;
    for (const std::size_t bytes : {0UL, 1UL, 63UL, 4096UL, 16383UL, 16384UL, 16385UL, 16447UL, 50001UL})
      for (const std::size_t from : {0UL, 1UL, 16UL, 63UL})
        for (const std::size_t to : {0UL, 1UL, 8UL, 63UL}) {
          CAPTURE(bytes);
          CAPTURE(from);
          CAPTURE(to);
          std::vector<std::byte> source(bytes + 2 * margin), target(bytes + 2 * margin, std::byte{0xa5});
          for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 131 >> 3);
          std::vector<std::byte> expected = target;
          std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                      expected.begin() + static_cast<std::ptrdiff_t>(to));
          stream_copy(target.data() + to, source.data() + from, bytes);
          CHECK(target == expected);
        }
  }
}

}  // namespace tilewright::detail
