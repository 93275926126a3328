// The products of a run by classes of shapes, and how they compare with other libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace tilewright::tool {

/// What kind of product it is, by its sizes: "batched"; "small" (all of them up to 256); "thin n" and "thin m" (up to
/// 8 columns or rows of C); "shallow" (k up to 64); "deep" (k at least 8 times m and n); "narrow" (up to 64 rows or
/// columns); "tile edge" (each one off a multiple of 64); "long" (one side of C at least 8 times the other);
/// "middle" (all up to 1536); "large". The first that fits.
std::string_view class_of(const GemmProblem& problem);

/// A class beside one library: ratios of its time over ours.
struct ClassSummary {
  std::string name;     ///< of the class; "all" at the end
  std::string library;  ///< as Result::against names it
  std::size_t count = 0;
  double geometric_mean = 0;
  double worst = 0;
};

/// The classes that there are, in the order of class_of(), and all of them, for each library. Results that were not
/// measured beside a library do not count for it.
std::vector<ClassSummary> summarize(const std::vector<Result>& results);

}  // namespace tilewright::tool
