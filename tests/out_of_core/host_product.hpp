// A product of matrices of small integers in host memory, whose exact result is known.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "tilewright/out_of_core.hpp"
#include "verification/common/random_data.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::test {

/// A, B and C. The gaps after their rows and the memory around C hold NaN.
template <class T>
class HostProduct {
 public:
  static constexpr std::uint64_t gap = 3, band = 64;

  HostProduct(const GemmProblem& wanted, double alpha, double beta) : problem(wanted) {
    problem.type = sizeof(T) == 8 ? DataType::f64 : DataType::f32;
    const bool rows = problem.layout == Layout::row_major;
    const auto lines = [&](Transpose trans, std::uint64_t m, std::uint64_t n) {
      return (trans == Transpose::no) == rows ? m : n;
    };
    const auto length = [&](Transpose trans, std::uint64_t m, std::uint64_t n) {
      return (trans == Transpose::no) == rows ? n : m;
    };
    problem.lda = length(problem.trans_a, problem.m, problem.k) + gap;
    problem.ldb = length(problem.trans_b, problem.k, problem.n) + gap;
    problem.ldc = length(Transpose::no, problem.m, problem.n) + gap;
    a = filled(lines(problem.trans_a, problem.m, problem.k), problem.lda, 1);
    b = filled(lines(problem.trans_b, problem.k, problem.n), problem.ldb, 2);
    before = filled(lines(Transpose::no, problem.m, problem.n), problem.ldc, 3);
    before.insert(before.begin(), band, nan);
    before.insert(before.end(), band, nan);
    operands = {.alpha = alpha, .a = a.data(), .b = b.data(), .beta = beta};
    expected = before;
    const verification::HostGemm<T> call{problem, alpha, a.data(), b.data(), beta, before.data() + band};
    for (std::uint64_t i = 0; i < problem.m; ++i)
      for (std::uint64_t j = 0; j < problem.n; ++j) {
        T sum = 0;
        if (alpha != 0)
          for (std::uint64_t l = 0; l < problem.k; ++l) sum += view_a(call)(i, l) * view_b(call)(l, j);
        T& element = at(expected, i, j);
        element = static_cast<T>(alpha) * sum + (beta != 0 ? static_cast<T>(beta) * element : 0);
      }
    if (beta == 0)
      for (std::uint64_t i = 0; i < problem.m; ++i)
        for (std::uint64_t j = 0; j < problem.n; ++j) at(before, i, j) = nan;
    reset();
  }

  void reset() {
    c = before;
    operands.c = c.data() + band;
  }

  /// An element of a matrix stored like C, with NaN around it.
  T& at(std::vector<T>& matrix, std::uint64_t i, std::uint64_t j) const {
    const bool rows = problem.layout == Layout::row_major;
    return matrix[band + (rows ? i * problem.ldc + j : j * problem.ldc + i)];
  }

  static bool same(T left, T right) { return left == right || (left != left && right != right); }

  static std::uint64_t differences(const std::vector<T>& left, const std::vector<T>& right) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (!same(left[i], right[i])) ++count;
    return count;
  }

  void check_right() const { CHECK(differences(c, expected) == 0); }

  /// Checks that these tiles hold the result, and that the rest of C is unchanged.
  void check_tiles(const std::vector<ResultTile>& tiles) {
    std::vector<T> wanted = before;
    for (const ResultTile& tile : tiles)
      for (std::uint64_t i = tile.row; i < tile.row + tile.rows; ++i)
        for (std::uint64_t j = tile.column; j < tile.column + tile.columns; ++j) at(wanted, i, j) = at(expected, i, j);
    CHECK(differences(c, wanted) == 0);
  }

  GemmProblem problem;
  HostOperands operands;
  std::vector<T> a, b, before, expected, c;

 private:
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();

  static std::vector<T> filled(std::uint64_t lines, std::uint64_t ld, std::uint64_t seed) {
    std::vector<T> data = verification::random_data<T>(lines * ld, verification::DataKind::integers, seed);
    for (std::uint64_t line = 0; line < lines; ++line)
      for (std::uint64_t i = 0; i < gap; ++i) data[line * ld + ld - 1 - i] = nan;
    return data;
  }
};

}  // namespace tilewright::test
