#include "kernels/plans/plan.hpp"

#include "spmm/plan_state.hpp"
#include "spmm/selector.hpp"

namespace tilewright {

std::string_view to_string(SparseFormat format) {
  switch (format) {
    case SparseFormat::csr:
      return "csr";
    case SparseFormat::csc:
      return "csc";
    case SparseFormat::coo:
      return "coo";
  }
  return "unknown";
}

std::vector<VariantInfo> spmm_variants() { return detail::variant_infos<detail::SpmmCore>(); }

Support spmm_support(const DeviceProfile& device, std::string_view variant, const SpmmProblem& problem,
                     const RowStatistics& statistics) {
  auto reason = detail::why_unsupported(detail::find_variant<detail::SpmmCore>(variant),
                                        detail::with_rows_of_b(detail::core_of(problem, statistics)), device);
  return {reason.empty(), std::move(reason)};
}

Explanation explain_spmm(const DeviceProfile& device, const SpmmProblem& problem, const RowStatistics& statistics,
                         const Choice& choice) {
  return detail::explain_selection(device, detail::open_record_book<detail::SpmmCore>(device),
                                   detail::with_rows_of_b(detail::core_of(problem, statistics)), choice,
                                   detail::problem_text(problem));
}

SpmmPlan::SpmmPlan(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure,
                   const Choice& choice, std::span<const cl_event> waits)
    : state_(detail::new_state<decltype(state_)>(engine, problem, structure, choice, waits)) {}

TILEWRIGHT_DEFINE_MOVES(SpmmPlan)
TILEWRIGHT_DEFINE_CALLS(Spmm)

const RowStatistics& SpmmPlan::statistics() const { return state_->statistics(); }
std::uint64_t SpmmPlan::structure_bytes() const { return state_->structure_bytes(); }

}  // namespace tilewright
