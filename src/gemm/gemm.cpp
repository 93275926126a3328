#include "tilewright/gemm.hpp"

#include <algorithm>

#include "gemm/complex_selection.hpp"
#include "gemm/core_problem.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/plans/plan.hpp"
#include "tilewright/error.hpp"

namespace tilewright {
namespace {

// The largest power of two that divides every offset, limited to the promised alignment.
std::uint64_t offset_alignment(const GemmProblem& problem, const GemmOperands& operands) {
  std::uint64_t offsets = operands.a.offset | operands.b.offset | operands.c.offset;
  if (problem.epilogue.residual) offsets |= operands.residual.offset;
  if (problem.batch.by_offsets)
    for (const auto& of_batch : {operands.offsets.a, operands.offsets.b, operands.offsets.c})
      for (const std::uint64_t offset : of_batch) offsets |= offset;
  return detail::aligned_as_promised(problem.offset_alignment, offsets);
}

}  // namespace

std::vector<VariantInfo> gemm_variants() { return detail::variant_infos<GemmProblem>(); }

Support gemm_support(const DeviceProfile& device, std::string_view variant, const GemmProblem& problem) {
  auto reason = detail::why_unsupported(detail::find_variant<GemmProblem>(variant),
                                        detail::core_problem(detail::normalized(problem)), device);
  return {reason.empty(), std::move(reason)};
}

Explanation explain_gemm(const DeviceProfile& device, const GemmProblem& problem, const Choice& choice) {
  const GemmProblem ours = detail::normalized(problem), core = detail::core_problem(ours);
  const detail::GemmRecordBook records = detail::open_record_book<GemmProblem>(device);
  const detail::GemmSelection selection =
      detail::selection_for_complex(detail::select(device, records, core, choice), ours, device);
  Explanation explanation = detail::explain_selection(device, records, core, selection, detail::problem_text(problem));
  explanation.reason += detail::note_on_core(ours, core);
  return explanation;
}

namespace detail {

void check_choice(const Engine& engine, DataType type, const Choice& choice) {
  if (choice != Choice{})
    static_cast<void>(explain_gemm(engine.profile(), {.type = type, .m = 64, .n = 64, .k = 64}, choice));
}

}  // namespace detail

Event gemm(const Engine& engine, cl_command_queue queue, const GemmProblem& problem, const GemmOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  GemmProblem aligned = problem;
  const auto& [a, b, c] = operands.offsets;
  if (!a.empty() || !b.empty() || !c.empty()) aligned.batch.by_offsets = true;
  aligned.offset_alignment = offset_alignment(aligned, operands);
  return detail::enqueue_recent<GemmPlan>(engine, queue, operands, waits, aligned, choice);
}

}  // namespace tilewright
