#include "kernels/operands/overlap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "support/expect_error.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using detail::StoredMatrix;

// The definition: searches for every element of one matrix among those of the other.
bool share_an_element(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin) {
  std::set<std::uint64_t> elements;
  for (std::uint64_t i = 0; i < x.rows; ++i)
    for (std::uint64_t j = 0; j < x.columns; ++j) elements.insert(x_begin + i * x.ld + j);
  for (std::uint64_t i = 0; i < y.rows; ++i)
    for (std::uint64_t j = 0; j < y.columns; ++j)
      if (elements.contains(y_begin + i * y.ld + j)) return true;
  return false;
}

using detail::Answer;
using detail::BatchOffsets;
using detail::PlacedMatrices;

std::uint64_t draw(std::uint64_t below) {
  static std::uint64_t index = 0;
  return verification::random_bits(11, index++) % below;
}

StoredMatrix draw_matrix() {
  StoredMatrix result{1 + draw(4), 1 + draw(4), 0};
  result.ld = result.columns + draw(9);
  return result;
}

bool share_an_element(const PlacedMatrices& x, const PlacedMatrices& y) {
  for (std::uint64_t i = 0; i < x.places.count(); ++i)
    for (std::uint64_t j = 0; j < y.places.count(); ++j)
      if (share_an_element(x.matrix, x.begin + x.places[i], y.matrix, y.begin + y.places[j])) return true;
  return false;
}

bool share_an_element(const PlacedMatrices& x) {
  for (std::uint64_t i = 0; i < x.places.count(); ++i)
    for (std::uint64_t j = 0; j < i; ++j)
      if (share_an_element(x.matrix, x.places[i], x.matrix, x.places[j])) return true;
  return false;
}

std::vector<std::uint64_t> draw_offsets() {
  std::vector<std::uint64_t> result(1 + draw(5));
  for (std::uint64_t& offset : result) offset = draw(50);
  return result;
}

}  // namespace

TEST_SUITE("overlap") {
  TEST_CASE("written matrices of a batch that share elements are refused with their stride and their numbers") {
    const detail::OperandLabel c{"C", OperandName::c}, result{"the result", OperandName::result};
    CHECK_NOTHROW(detail::check_batch_apart(c, {2, 3, 3}, 6, 4));
    CHECK_NOTHROW(detail::check_batch_apart(c, {2, 3, 3}, 1, 1));
    const auto message = [&](const detail::OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride) {
      return expect_error(ErrorCode::overlapping_operands, label.operand,
                          [&] { detail::check_batch_apart(label, matrix, stride, 4); });
    };
    CHECK(message(c, {2, 3, 3}, 5) ==
          "stride_c is 5, so C number 0 and C number 1 of the batch share elements; use a larger stride");
    CHECK(mentions(message(c, {2, 1, 4}, 2), "C number 2 of the batch"));
    CHECK(mentions(message(result, {1, 1, 1}, 0), "stride_result is 0"));
  }

  TEST_CASE("overlap is exact: it agrees with the definition") {
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

  TEST_CASE("strides are checked exactly: the result agrees with the definition") {
    int overlapping = 0;
    for (int round = 0; round < 4000; ++round) {
      const StoredMatrix m = draw_matrix();
      const std::uint64_t stride = draw(20), count = 1 + draw(7);
      std::optional<std::uint64_t> expected;
      for (std::uint64_t x = count - 1; x > 0; --x)
        if (share_an_element(m, 0, m, x * stride)) expected = x;
      overlapping += expected.has_value();
      CAPTURE(m.rows);
      CAPTURE(m.columns);
      CAPTURE(m.ld);
      CAPTURE(stride);
      CAPTURE(count);
      REQUIRE(detail::first_overlap(m, stride, count) == expected);
    }
    CHECK(overlapping > 400);
    CHECK(overlapping < 3600);
  }

  TEST_CASE("batches are compared exactly: the result agrees with the definition") {
    int answers[2] = {};
    for (int round = 0; round < 12000; ++round) {
      const bool by_offsets = round % 2 == 0;
      const auto x_offsets = draw_offsets(), y_offsets = draw_offsets();
      const auto places = [&](const std::vector<std::uint64_t>& offsets) {
        if (by_offsets) return BatchOffsets(offsets);
        const std::uint64_t count = 1 + draw(5);
        return BatchOffsets(count, draw(30));
      };
      PlacedMatrices x{draw_matrix(), places(x_offsets), draw(60)}, y{draw_matrix(), places(y_offsets), draw(60)};
      if (round % 8 < 2) y.matrix.ld = std::max(x.matrix.ld, y.matrix.columns);
      if (by_offsets) REQUIRE(detail::overlap_within(x).has_value() == share_an_element(x));
      if (share_an_element(x)) continue;
      const bool expected = share_an_element(x, y);
      ++answers[expected];
      REQUIRE(detail::overlap(x, y) == (expected ? Answer::yes : Answer::no));
    }
    CHECK(answers[0] > 500);
    CHECK(answers[1] > 500);
  }

  TEST_CASE("elements of different sizes are compared in parts of the smaller size") {
    int answers[2] = {};
    for (int round = 0; round < 4000; ++round) {
      const std::uint64_t parts = round % 2 == 0 ? 2 : 4;
      const auto offsets = draw_offsets();
      const PlacedMatrices x{draw_matrix(), round % 4 < 2 ? BatchOffsets(offsets) : BatchOffsets(3, draw(20)), draw(9)};
      const PlacedMatrices y{draw_matrix(), BatchOffsets(1, 0), draw(200)};
      // Element e of x covers the elements of y from parts * e on.
      bool expected = false;
      for (std::uint64_t i = 0; i < x.places.count(); ++i)
        for (std::uint64_t row = 0; row < x.matrix.rows; ++row)
          for (std::uint64_t column = 0; column < x.matrix.columns; ++column) {
            const std::uint64_t element = x.begin + x.places[i] + row * x.matrix.ld + column;
            expected = expected || share_an_element({1, parts, parts}, parts * element, y.matrix, y.begin);
          }
      if (share_an_element(x)) continue;
      ++answers[expected];
      REQUIRE(detail::overlap(in_parts(x, parts), y) == (expected ? Answer::yes : Answer::no));
    }
    CHECK(answers[0] > 300);
    CHECK(answers[1] > 300);
  }

  // Comparing every pair of matrices or rows would take hours here.
  TEST_CASE("large interleaved matrices are compared quickly") {
    constexpr std::uint64_t many = 1 << 20;
    const StoredMatrix column{many, 1, many};
    CHECK_FALSE(detail::first_overlap(column, 1, many));
    CHECK(detail::first_overlap(column, 1, many + 1) == many);
    CHECK_FALSE(detail::overlap({many << 10, 3, 7}, 0, {many << 10, 3, 7}, 3));
    CHECK(detail::overlap({many << 10, 3, 7}, 0, {many << 10, 3, 11}, 3));
    // Matrices C and A alternate column by column in one array. The second part uses another leading dimension.
    const StoredMatrix half{many, 1, 2 * many};
    const PlacedMatrices c{half, BatchOffsets(many, 2), 0}, a{half, BatchOffsets(many, 2), 1};
    CHECK(detail::overlap(c, a) == Answer::no);
    CHECK(detail::overlap(c, {half, BatchOffsets(many, 2), 2}) == Answer::yes);
    CHECK(detail::overlap(c, {half, BatchOffsets(many, 1), 1}) == Answer::yes);

    constexpr std::uint64_t some = 20000;
    const StoredMatrix narrow{some, 1, 2 * some};
    std::vector<std::uint64_t> even(some), odd(some);
    for (std::uint64_t x = 0; x < some; ++x) {
      even[x] = 2 * (x * 7919 % some);
      odd[x] = even[x] + 1;
    }
    const PlacedMatrices evens{narrow, BatchOffsets(even), 0};
    CHECK_FALSE(detail::overlap_within(evens));
    CHECK(detail::overlap(evens, {narrow, BatchOffsets(odd), 0}) == Answer::no);
    odd[1234] = even[4321];
    CHECK(detail::overlap(evens, {narrow, BatchOffsets(odd), 0}) == Answer::yes);
    CHECK(detail::overlap(evens, {{some, 1, some}, BatchOffsets(odd), 0}) != Answer::no);
    even[5] = even[6];
    CHECK(detail::overlap_within({narrow, BatchOffsets(even), 0}) == 0);
  }

  // Parts of the rows of one array. Leading dimensions and strides are multiples of the array's own leading dimension.
  TEST_CASE("batches that interleave in one array are disjoint, however many rows they skip") {
    for (int round = 0; round < 2000; ++round) {
      const std::uint64_t pitch = 4 + draw(300), left = 1 + draw(pitch - 1), right = 1 + draw(pitch - left);
      const auto rows_apart = [&] { return pitch * (1 + draw(50)); };
      const auto matrices = [&](std::uint64_t columns, std::uint64_t first) {
        const StoredMatrix matrix{2 + draw(2000), columns, rows_apart()};
        const std::uint64_t count = 1 + draw(3000), stride = pitch * (1 + draw(5000));
        return PlacedMatrices{matrix, BatchOffsets(count, stride), pitch * draw(100000) + first};
      };
      const PlacedMatrices x = matrices(left, 0), y = matrices(right, left);
      CAPTURE(round);
      REQUIRE(detail::overlap(x, y) == Answer::no);
      REQUIRE(detail::overlap(y, x) == Answer::no);
    }
  }

  TEST_CASE("a search that exceeds its time limit does not report disjoint matrices") {
    // Rows of 101 and of 103 elements, and matrices between them at two irregular distances.
    std::vector<std::uint64_t> x(3000), y(3000);
    for (std::uint64_t i = 0; i < x.size(); ++i) {
      x[i] = i * 101 * 7;
      y[i] = i * 103 * 5 + 50;
    }
    const PlacedMatrices many{{1000, 1, 101 * 1000}, BatchOffsets(x), 0};
    CHECK(detail::overlap(many, {{1000, 1, 103 * 1000}, BatchOffsets(y), 0}) != Answer::no);
  }

  TEST_CASE("left and right columns of one array do not overlap") {
    CHECK_FALSE(detail::overlap({1000, 8, 16}, 0, {1000, 8, 16}, 8));
    CHECK(detail::overlap({1000, 8, 16}, 0, {1000, 9, 16}, 7));
  }
}

}  // namespace tilewright::test
