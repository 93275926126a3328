#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "verification/common/column_groups.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

/// How a result compares with its reference.
struct Comparison {
  double error_over_bound = 0;  ///< the worst one; infinite where a result is NaN or infinite and should not be
  std::uint64_t row = 0;        ///< where the worst one is
  std::uint64_t column = 0;     ///< the first column of its group
  std::uint64_t width = 1;      ///< columns in its group
  double result = 0;            ///< the element, or signed sum of elements, there
  double expected = 0;
  std::uint64_t compared = 0;  ///< elements and sums that were compared

  bool passed() const { return error_over_bound <= 1; }
};

/// Checks results of one call as often as wanted; the reference is computed once.
/// Every element is compared where that takes about a second. For larger products complete rows are, chosen by
/// sample_rows(), and every element takes part in a signed sum of neighbouring columns (ColumnGroups), but where the
/// problem has an epilogue.
template <class T, class C = T>
class GemmCheck {
 public:
  /// Reads the operands here and keeps nothing of them.
  explicit GemmCheck(const HostGemm<T, C>& call, Tolerance tolerance = Tolerance::rounding);

  /// `c` is the result, stored as the call's problem says.
  Comparison operator()(const C* c) const;

  /// Whether every element is compared by itself.
  bool complete() const { return parts_.front().groups.width() == 1 && parts_.front().rows.size() == problem_.m; }

 private:
  struct Part {
    std::vector<std::uint64_t> rows;
    ColumnGroups groups;
    std::vector<Expected<C>> expected;
  };

  static void note_stored_overflow(Part& part, const HostGemm<T, C>& call);
  static Comparison compare(const Part& part, const MatrixView<C>& c, std::uint64_t first, std::uint64_t last);

  GemmProblem problem_;
  std::vector<Part> parts_;
};

/// The same of complex numbers, whose parts are compared by themselves. See complex_check.cpp for their bound.
template <class R>
class GemmCheck<std::complex<R>, std::complex<R>> {
 public:
  using Element = std::complex<R>;

  explicit GemmCheck(const HostGemm<Element>& call, Tolerance tolerance = Tolerance::rounding);

  Comparison operator()(const Element* c) const;
  bool complete() const { return parts_.front().groups.width() == 1; }

 private:
  struct Part {
    std::vector<std::uint64_t> rows;
    ColumnGroups groups;
    std::vector<std::array<Expected<R>, 2>> expected;  // of the real and the imaginary part
  };

  GemmProblem problem_;
  std::vector<Part> parts_;
};

}  // namespace tilewright::verification
