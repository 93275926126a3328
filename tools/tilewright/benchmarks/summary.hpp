// Summaries by shape class: how Tilewright compares with other libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tilewright/gemm_problem.hpp"

namespace tilewright::tool {

/// A measured product, and the times of other libraries.
struct Result {
  GemmProblem problem;
  double seconds = 0;

  struct Against {
    std::string name;
    double seconds = 0;
  };
  std::vector<Against> against{};
};

/// Returns the first class that fits the product:
///   "batched";
///   "small": m, n and k up to 256;
///   "thin n", "thin m": up to 8 columns or rows of C;
///   "shallow": k up to 64;
///   "deep": k at least 8 times m and n;
///   "narrow": up to 64 rows or columns of C;
///   "tile edge": m, n and k each one off a multiple of 64;
///   "long": one side of C at least 8 times the other;
///   "middle": m, n and k up to 1536;
///   "large": all others.
std::string_view class_of(const GemmProblem& problem);

/// A class compared with one library: ratios of the library's time over Tilewright's.
struct ClassSummary {
  std::string name;     ///< name of the class; "all" comes last
  std::string library;  ///< name in Result::against
  std::size_t count = 0;
  double geometric_mean = 0;
  double worst = 0;
};

/// Summarizes each non-empty class, in the order of class_of(), then all products, for each library. Results without a
/// time of the library are left out.
std::vector<ClassSummary> summarize(const std::vector<Result>& results);

}  // namespace tilewright::tool
