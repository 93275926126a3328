#include "gemm/overlap.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <sstream>

#include "verification/random_data.hpp"

namespace tilewright::test {
namespace {

using detail::StoredMatrix;

// The definition itself: every element of one is looked up among the other's.
bool share_an_element(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin) {
  std::set<std::uint64_t> elements;
  for (std::uint64_t i = 0; i < x.rows; ++i)
    for (std::uint64_t j = 0; j < x.columns; ++j) elements.insert(x_begin + i * x.ld + j);
  for (std::uint64_t i = 0; i < y.rows; ++i)
    for (std::uint64_t j = 0; j < y.columns; ++j)
      if (elements.contains(y_begin + i * y.ld + j)) return true;
  return false;
}

}  // namespace

TEST_SUITE("overlap") {
  TEST_CASE("it is exact, by comparison with the definition") {
    std::uint64_t index = 0;
    const auto random = [&](std::uint64_t below) { return verification::random_bits(7, index++) % below; };
    int overlapping = 0;
    for (int round = 0; round < 20000; ++round) {
      const auto matrix = [&] {
        StoredMatrix result{random(5), random(5), 0};
        result.ld = result.columns + random(7) + (result.columns == 0 ? 1 : 0);
        return result;
      };
      const StoredMatrix x = matrix(), y = matrix();
      const std::uint64_t x_begin = random(12), y_begin = random(12);
      const bool expected = share_an_element(x, x_begin, y, y_begin);
      overlapping += expected;
      std::ostringstream what;
      what << x.rows << 'x' << x.columns << '/' << x.ld << '@' << x_begin << " and " << y.rows << 'x' << y.columns
           << '/' << y.ld << '@' << y_begin;
      REQUIRE_MESSAGE(detail::overlap(x, x_begin, y, y_begin) == expected, what.str());
      REQUIRE_MESSAGE(detail::overlap(y, y_begin, x, x_begin) == expected, what.str());
    }
    CHECK(overlapping > 2000);
    CHECK(overlapping < 18000);
  }

  TEST_CASE("left and right columns of one array do not overlap") {
    CHECK_FALSE(detail::overlap({1000, 8, 16}, 0, {1000, 8, 16}, 8));
    CHECK(detail::overlap({1000, 8, 16}, 0, {1000, 9, 16}, 7));
  }
}

}  // namespace tilewright::test
