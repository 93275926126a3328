#include "tilewright/gemm.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "gemm/registry.hpp"
#include "gemm/selections.hpp"
#include "runtime/engine_state.hpp"
#include "tilewright/error.hpp"

namespace tilewright {
namespace {

// An engine's recent plans for gemm(). Few enough for a linear search, which costs less than hashing a problem.
class RecentPlans {
 public:
  std::shared_ptr<const GemmPlan> get(const Engine& engine, const GemmProblem& problem, const GemmChoice& choice) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const Entry& entry) {
        return entry.problem == problem && entry.choice.variant == choice.variant &&
               entry.choice.configuration == choice.configuration;
      });
      if (found != plans_.end()) {
        std::rotate(plans_.begin(), found, found + 1);  // the latest comes first
        return plans_.front().plan;
      }
    }
    auto plan = std::make_shared<const GemmPlan>(engine, problem, choice);
    const std::lock_guard lock(mutex_);
    if (plans_.size() == capacity) plans_.pop_back();
    plans_.insert(plans_.begin(), {problem, choice, plan});
    return plan;
  }

 private:
  static constexpr std::size_t capacity = 64;
  struct Entry {
    GemmProblem problem;
    GemmChoice choice;
    std::shared_ptr<const GemmPlan> plan;
  };
  std::mutex mutex_;
  std::vector<Entry> plans_;
};

// The largest power of two that divides every offset, but no more than what was promised.
std::uint64_t offset_alignment(const GemmProblem& problem, const GemmOperands& operands) {
  std::uint64_t offsets = operands.a.offset | operands.b.offset | operands.c.offset;
  if (problem.batch.by_offsets)
    for (const auto& of_batch : {operands.offsets.a, operands.offsets.b, operands.offsets.c})
      for (const std::uint64_t offset : of_batch) offsets |= offset;
  if (offsets == 0) return problem.offset_alignment;
  return std::min(problem.offset_alignment, std::uint64_t{1} << std::countr_zero(offsets));
}

}  // namespace

std::string_view to_string(DataType type) { return type == DataType::f32 ? "f32" : "f64"; }

std::vector<GemmVariantInfo> gemm_variants() {
  std::vector<GemmVariantInfo> result;
  for (const auto* variant : detail::gemm_registry())
    result.push_back({variant->name, variant->summary, variant->parameters, variant->strategies});
  return result;
}

GemmSupport gemm_support(const DeviceProfile& device, std::string_view variant, const GemmProblem& problem) {
  auto reason = detail::why_unsupported(detail::find_gemm_variant(variant), detail::normalized(problem), device);
  return {reason.empty(), std::move(reason)};
}

GemmExplanation explain_gemm(const DeviceProfile& device, const GemmProblem& problem, const GemmChoice& choice) {
  return detail::explain_selection(device, detail::open_record_book(device), detail::normalized(problem), choice);
}

Event gemm(const Engine& engine, cl_command_queue queue, const GemmProblem& problem, const GemmOperands& operands,
           std::span<const cl_event> waits, const GemmChoice& choice) {
  GemmProblem aligned = problem;
  aligned.offset_alignment = offset_alignment(problem, operands);
  return engine.state().part<RecentPlans>().get(engine, aligned, choice)->enqueue(queue, operands, waits);
}

Event gemm_strided_batched(const Engine& engine, cl_command_queue queue, const GemmProblem& problem,
                           const GemmOperands& operands, const GemmBatch& batch, std::span<const cl_event> waits,
                           const GemmChoice& choice) {
  if (batch.by_offsets)
    throw Error(ErrorCode::invalid_batch, "a strided batch is not by offsets; call gemm_batched() with them");
  GemmProblem batched = problem;
  batched.batch = batch;
  return gemm(engine, queue, batched, operands, waits, choice);
}

Event gemm_batched(const Engine& engine, cl_command_queue queue, const GemmProblem& problem,
                   const GemmOperands& operands, const GemmOffsets& offsets, std::span<const cl_event> waits,
                   const GemmChoice& choice) {
  GemmProblem batched = problem;
  batched.batch = {.count = offsets.c.size(), .by_offsets = true};
  GemmOperands with_offsets = operands;
  with_offsets.offsets = offsets;
  return gemm(engine, queue, batched, with_offsets, waits, choice);
}

}  // namespace tilewright
