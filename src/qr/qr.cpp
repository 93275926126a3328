#include "tilewright/qr.hpp"

#include "kernels/plans/plan.hpp"
#include "qr/qr_state.hpp"

namespace tilewright {

class GeqrfPlan::State : public detail::QrPlanState<GeqrfProblem> {
 public:
  using QrPlanState::QrPlanState;
};

class OrmqrPlan::State : public detail::QrPlanState<OrmqrProblem> {
 public:
  using QrPlanState::QrPlanState;
};

class OrgqrPlan::State : public detail::QrPlanState<OrgqrProblem> {
 public:
  using QrPlanState::QrPlanState;
};

class GelsPlan::State : public detail::QrPlanState<GelsProblem> {
 public:
  using QrPlanState::QrPlanState;
};

TILEWRIGHT_DEFINE_CONSTRUCTOR(Geqrf)
TILEWRIGHT_DEFINE_CALLS(Geqrf)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Ormqr)
TILEWRIGHT_DEFINE_CALLS(Ormqr)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Orgqr)
TILEWRIGHT_DEFINE_CALLS(Orgqr)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Gels)
TILEWRIGHT_DEFINE_CALLS(Gels)

Event geqrf(const Engine& engine, cl_command_queue queue, const GeqrfProblem& problem, const GeqrfOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GeqrfPlan>(engine, queue, problem, operands, waits, choice);
}

Event ormqr(const Engine& engine, cl_command_queue queue, const OrmqrProblem& problem, const OrmqrOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<OrmqrPlan>(engine, queue, problem, operands, waits, choice);
}

Event orgqr(const Engine& engine, cl_command_queue queue, const OrgqrProblem& problem, const OrgqrOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<OrgqrPlan>(engine, queue, problem, operands, waits, choice);
}

Event gels(const Engine& engine, cl_command_queue queue, const GelsProblem& problem, const GelsOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GelsPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
