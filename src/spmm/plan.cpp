#include <utility>

#include "spmm/plan_state.hpp"
#include "spmm/selector.hpp"

namespace tilewright {

using detail::translated;

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
    : state_(translated([&] { return std::make_unique<State>(engine, problem, structure, choice, waits); })) {}
SpmmPlan::~SpmmPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
SpmmPlan::SpmmPlan(SpmmPlan&&) noexcept = default;
SpmmPlan& SpmmPlan::operator=(SpmmPlan&& other) noexcept {
  SpmmPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event SpmmPlan::enqueue(cl_command_queue queue, const SpmmOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const SpmmProblem& SpmmPlan::problem() const { return state_->asked(); }
const RowStatistics& SpmmPlan::statistics() const { return state_->statistics(); }
const Explanation& SpmmPlan::explanation() const { return state_->explanation(); }
std::uint64_t SpmmPlan::workspace_bytes() const { return state_->workspace_bytes(); }
std::uint64_t SpmmPlan::structure_bytes() const { return state_->structure_bytes(); }

}  // namespace tilewright
