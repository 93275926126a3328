// Plans that were moved from refuse every use, and can be assigned again.
#include <doctest/doctest.h>

#include <utility>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

template <class Plan>
void check_moves(Plan plan) {
  Plan taken = std::move(plan);
  // NOLINTBEGIN(bugprone-use-after-move): tested here
  const auto check_refused = [&](auto use) {
    CHECK(mentions(expect_error(ErrorCode::null_object, [&] { static_cast<void>(use()); }), "it was moved from"));
  };
  check_refused([&] { return &plan.problem(); });
  check_refused([&] { return plan.workspace_bytes(); });
  if constexpr (requires { plan.explanation(); }) check_refused([&] { return plan.explanation().variant; });
  if constexpr (requires { plan.statistics(); }) check_refused([&] { return plan.statistics().mean; });
  if constexpr (requires { plan.enqueue(nullptr, {}); }) check_refused([&] { return plan.enqueue(nullptr, {}); });
  plan = std::move(taken);
  CHECK(plan.workspace_bytes() == plan.workspace_bytes());
  // NOLINTEND(bugprone-use-after-move)
  count_cases();
}

// Problems without elements, which compile nothing.
template <class Plan, class Problem>
void check_plan() {
  check_moves(Plan(Engine(device_under_test()), Problem{}));
}

}  // namespace

TEST_SUITE("plans") {
  TEST_CASE("a plan that was moved from is refused") {
    check_plan<GemmPlan, GemmProblem>();
    check_plan<StrassenPlan, StrassenProblem>();
    check_plan<GemvPlan, GemvProblem>();
    check_plan<GerPlan, GerProblem>();
    check_plan<SymvPlan, SymvProblem>();
    check_plan<SyrPlan, SyrProblem>();
    check_plan<Syr2Plan, Syr2Problem>();
    check_plan<TrmvPlan, TrmvProblem>();
    check_plan<TrsvPlan, TrsvProblem>();
    check_plan<TrsmPlan, TrsmProblem>();
    check_plan<TrmmPlan, TrmmProblem>();
    check_plan<SymmPlan, SymmProblem>();
    check_plan<SyrkPlan, SyrkProblem>();
    check_plan<Syr2kPlan, Syr2kProblem>();
    check_plan<GemmtPlan, GemmtProblem>();
    check_plan<TransposePlan, TransposeProblem>();
    check_plan<MatrixAddPlan, MatrixAddProblem>();
    check_plan<PotrfPlan, PotrfProblem>();
    check_plan<PotrsPlan, PotrsProblem>();
    check_plan<PosvPlan, PosvProblem>();
    check_plan<PotriPlan, PotriProblem>();
    check_plan<GetrfPlan, GetrfProblem>();
    check_plan<GetrsPlan, GetrsProblem>();
    check_plan<GesvPlan, GesvProblem>();
    check_plan<GetriPlan, GetriProblem>();
    check_plan<DetPlan, DetProblem>();
    check_plan<GeqrfPlan, GeqrfProblem>();
    check_plan<OrmqrPlan, OrmqrProblem>();
    check_plan<OrgqrPlan, OrgqrProblem>();
    check_plan<GelsPlan, GelsProblem>();
    check_moves(VectorPlan(Engine(device_under_test()), VectorFunction::axpy, {}));
  }
}

}  // namespace tilewright::test
