#include "tilewright/transpose.hpp"

#include "kernels/plans/plan.hpp"
#include "transpose/selector.hpp"

namespace tilewright {

std::string to_string(const Element& element) {
  if (element.number()) return std::string(to_string(*element.number()));
  return std::to_string(element.bytes()) + (element.bytes() == 1 ? " byte" : " bytes");
}

std::vector<VariantInfo> transpose_variants() { return detail::variant_infos<TransposeProblem>(); }

Support transpose_support(const DeviceProfile& device, std::string_view variant, const TransposeProblem& problem) {
  auto reason =
      detail::why_unsupported(detail::find_variant<TransposeProblem>(variant), detail::normalized(problem), device);
  return {reason.empty(), std::move(reason)};
}

Explanation explain_transpose(const DeviceProfile& device, const TransposeProblem& problem, const Choice& choice) {
  return detail::explain_selection(device, detail::open_record_book<TransposeProblem>(device),
                                   detail::normalized(problem), choice, detail::problem_text(problem));
}

Event transpose(const Engine& engine, cl_command_queue queue, const TransposeProblem& problem,
                const TransposeOperands& operands, std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<TransposePlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
