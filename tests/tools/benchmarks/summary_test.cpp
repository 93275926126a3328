#include "benchmarks/summary.hpp"

#include <doctest/doctest.h>

namespace tilewright::tool {
namespace {

GemmProblem product(std::uint64_t m, std::uint64_t n, std::uint64_t k, std::uint64_t count = 1) {
  GemmProblem problem{.m = m, .n = n, .k = k};
  problem.batch.count = count;
  return problem;
}

Result result(const GemmProblem& problem, double seconds, const std::vector<Result::Against>& against) {
  Result one;
  one.problem = problem;
  one.seconds = seconds;
  one.against = against;
  return one;
}

}  // namespace

TEST_CASE("each product has its most specific class") {
  CHECK(class_of(product(17, 23, 125, 849)) == "batched");
  CHECK(class_of(product(121, 63, 23)) == "small");
  CHECK(class_of(product(14295, 4, 2675)) == "thin n");
  CHECK(class_of(product(4, 399, 417)) == "thin m");
  CHECK(class_of(product(1, 1, 9999)) == "thin n");
  CHECK(class_of(product(4362, 8046, 19)) == "shallow");
  CHECK(class_of(product(17, 186, 46964)) == "deep");
  CHECK(class_of(product(11, 861, 500)) == "narrow");
  CHECK(class_of(product(129, 2367, 129)) == "tile edge");
  CHECK(class_of(product(21197, 435, 627)) == "long");
  CHECK(class_of(product(1087, 1168, 387)) == "middle");
  CHECK(class_of(product(1899, 3584, 3578)) == "large");
}

TEST_CASE("a summary has the geometric mean and the worst ratio per class and library, and for all") {
  const auto summaries =
      summarize({result(product(2000, 2000, 2000), 1, {{"a", 2}, {"b", 1}}),
                 result(product(3000, 2000, 2000), 2, {{"a", 1}}), result(product(9, 9, 9), 1, {{"a", 8}})});
  REQUIRE(summaries.size() == 5);
  CHECK(summaries[0].name == "small");
  CHECK(summaries[1].name == "large");
  CHECK(summaries[1].library == "a");
  CHECK(summaries[1].count == 2);
  CHECK(summaries[1].geometric_mean == doctest::Approx(1));
  CHECK(summaries[1].worst == doctest::Approx(0.5));
  CHECK(summaries[2].library == "b");
  CHECK(summaries[3].name == "all");
  CHECK(summaries[3].geometric_mean == doctest::Approx(2));
  CHECK(summarize({}).empty());
}

}  // namespace tilewright::tool
