#include "benchmarks/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tilewright::tool {
namespace {

constexpr std::string_view all_products = "all";

struct Sizes {
  std::uint64_t m, n, k;

  std::uint64_t narrow() const { return std::min(m, n); }
  std::uint64_t wide() const { return std::max(m, n); }
  std::uint64_t largest() const { return std::max(wide(), k); }
};

bool is_off_by_one(std::uint64_t size) { return size > 64 && (size % 64 == 1 || size % 64 == 63); }

struct Class {
  std::string_view name;
  bool (*fits)(const Sizes&);
};

// Ordered from the most specific class to the most general.
constexpr Class classes[] = {
    {"small", [](const Sizes& s) { return s.largest() <= 256; }},
    {"thin n", [](const Sizes& s) { return s.n <= 8 && s.n <= s.m; }},
    {"thin m", [](const Sizes& s) { return s.m <= 8; }},
    {"shallow", [](const Sizes& s) { return s.k <= 64; }},
    {"deep", [](const Sizes& s) { return s.k / 8 >= s.wide(); }},
    {"narrow", [](const Sizes& s) { return s.narrow() <= 64; }},
    {"tile edge", [](const Sizes& s) { return is_off_by_one(s.m) && is_off_by_one(s.n) && is_off_by_one(s.k); }},
    {"long", [](const Sizes& s) { return s.wide() / 8 >= s.narrow(); }},
    {"middle", [](const Sizes& s) { return s.largest() <= 1536; }},
    {"large", [](const Sizes&) { return true; }},
};
constexpr std::string_view batched = "batched";

// Returns a summary with count 0 if no result of the class was measured with the library.
ClassSummary summary_of(const std::vector<Result>& results, std::string_view name, const std::string& library) {
  ClassSummary summary{.name = std::string(name), .library = library};
  double logarithms = 0;
  summary.worst = std::numeric_limits<double>::infinity();
  for (const Result& result : results) {
    if (name != all_products && class_of(result.problem) != name) continue;
    for (const Result::Against& reference : result.against) {
      if (reference.name != library || !(reference.seconds > 0) || !(result.seconds > 0)) continue;
      const double ratio = reference.seconds / result.seconds;
      logarithms += std::log(ratio);
      summary.worst = std::min(summary.worst, ratio);
      ++summary.count;
    }
  }
  if (summary.count > 0) summary.geometric_mean = std::exp(logarithms / static_cast<double>(summary.count));
  return summary;
}

}  // namespace

std::string_view class_of(const GemmProblem& problem) {
  if (problem.batch.count > 1) return batched;
  const Sizes sizes{problem.m, problem.n, problem.k};
  return std::find_if(std::begin(classes), std::end(classes), [&](const Class& each) { return each.fits(sizes); })
      ->name;
}

std::vector<ClassSummary> summarize(const std::vector<Result>& results) {
  std::vector<std::string> libraries;
  for (const Result& result : results)
    for (const Result::Against& reference : result.against)
      if (std::find(libraries.begin(), libraries.end(), reference.name) == libraries.end())
        libraries.push_back(reference.name);
  std::vector<std::string_view> names{batched};
  for (const Class& each : classes) names.push_back(each.name);
  names.push_back(all_products);
  std::vector<ClassSummary> summaries;
  for (const std::string_view name : names)
    for (const std::string& library : libraries)
      if (ClassSummary summary = summary_of(results, name, library); summary.count > 0)
        summaries.push_back(std::move(summary));
  return summaries;
}

}  // namespace tilewright::tool
