#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "tilewright/choice.hpp"
#include "verification/common/column_groups.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

/// The comparison of a result with its reference.
struct Comparison {
  double error_over_bound = 0;  ///< the worst one; infinite if a result is NaN or infinite but should not be
  std::uint64_t row = 0;        ///< row of the worst one
  std::uint64_t column = 0;     ///< first column of its group
  std::uint64_t width = 1;      ///< number of columns in its group
  double result = 0;            ///< the worst element or signed sum of elements
  double expected = 0;
  std::uint64_t compared = 0;  ///< number of elements and sums compared

  bool passed() const { return error_over_bound <= 1; }
};

/// Checks any number of results of one call against one reference. Compares every element if that takes about a second.
/// For larger products, compares complete rows from sample_rows(), and signed sums of neighbouring columns
/// (ColumnGroups), in which every element takes part. Problems with an epilogue have no such sums.
template <class T, class C = T>
class GemmCheck {
 public:
  /// Reads the operands and stores only the reference.
  explicit GemmCheck(const HostGemm<T, C>& call, Tolerance tolerance = Tolerance::rounding);

  /// Compares `c`, stored in the problem's layout.
  Comparison operator()(const C* c) const;

  /// True if every element is compared individually.
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

/// Whether a plan with this explanation multiplies the sums of a complex product, instead of B, by an alpha with an
/// imaginary part: HostGemm::scales_sums of its calls.
bool scales_sums(const Explanation& explanation);

/// Checks complex results; real and imaginary parts are compared separately. complex_check.cpp derives their bound.
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
    bool any_kind;                                     // an infinity and a NaN are equal
    std::vector<std::array<Expected<R>, 2>> expected;  // real and imaginary part
  };

  GemmProblem problem_;
  std::vector<Part> parts_;
};

}  // namespace tilewright::verification
