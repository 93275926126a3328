#include "tilewright/strassen.hpp"

#include "kernels/explanation.hpp"
#include "kernels/plans/plan.hpp"
#include "runtime/system/plain_text.hpp"
#include "strassen/levels.hpp"
#include "strassen/plan_state.hpp"
#include "strassen/problem.hpp"
#include "strassen/schedule.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright {

namespace {

// Candidate::reason of a number of levels.
std::string candidate_text(const StrassenLevel& level, const detail::ChosenLevels& chosen) {
  if (level.levels == chosen.levels) return "chosen: " + chosen.reason;
  if (!level.why_not.empty()) return level.why_not;
  if (level.seconds == 0) return "its time is unknown";
  return "expected " + detail::general_text(level.seconds * 1e3, 4) + " ms";
}

}  // namespace

TILEWRIGHT_DEFINE_PLAN(Strassen)

unsigned StrassenPlan::levels() const { return state_->levels(); }
std::uint64_t StrassenPlan::products() const { return state_->products(); }

std::vector<StrassenLevel> strassen_levels(const DeviceProfile& device, const StrassenProblem& problem,
                                           const Choice& choice) {
  return detail::choose_levels(device, problem, detail::strassen_product(problem.product), choice).candidates;
}

Explanation explain_strassen(const DeviceProfile& device, const StrassenProblem& problem, const Choice& choice) {
  const GemmProblem product = detail::strassen_product(problem.product);
  const detail::ChosenLevels chosen = detail::choose_levels(device, problem, product, choice);
  Explanation explanation = detail::explanation_of(chosen, problem);
  for (const StrassenLevel& level : chosen.candidates)
    explanation.candidates.push_back({.variant = {},
                                      .configuration = {{"levels", level.levels}},
                                      .supported = level.why_not.empty(),
                                      .reason = candidate_text(level, chosen)});
  for (const GemmProblem& part : detail::small_products(product, chosen.levels))
    detail::add_part(explanation, explain_gemm(device, part, choice));
  return explanation;
}

Event strassen(const Engine& engine, cl_command_queue queue, const StrassenProblem& problem,
               const StrassenOperands& operands, std::span<const cl_event> waits, const Choice& choice) {
  StrassenProblem aligned = problem;
  aligned.product.offset_alignment =
      detail::aligned_as_promised(problem.product.offset_alignment, detail::offset_bits(operands));
  return detail::enqueue_recent<StrassenPlan>(engine, queue, operands, waits, aligned, choice);
}

}  // namespace tilewright
