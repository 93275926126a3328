#include "out_of_core/tile_plans.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "out_of_core/tile_memory.hpp"
#include "out_of_core/worker_base.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/gemm_memory.hpp"

namespace tilewright::detail {

cl::Event enqueue_product(const GemmPlan& plan, cl_command_queue queue, const GemmOperands& operands,
                          std::span<const cl_event> waits) {
  return with_own_waits([&] { return cl::Event(plan.enqueue(queue, operands, waits).release()); });
}

TilePlans::TilePlans(const Engine& engine, const TileForm& form, const TileSchedule& schedule) : engine_(engine) {
  if (form.is_empty()) return;
  std::vector<std::pair<std::uint64_t, GemmProblem>> by_workspace;
  for_each_tile_problem(form, schedule, [&](const GemmProblem& problem) {
    by_workspace.emplace_back(gemm_memory(engine, problem, schedule.choice).shared, problem);
  });
  // The engine's workspace must not grow from one plan to the next: both workspaces could exist at the same time.
  std::stable_sort(by_workspace.begin(), by_workspace.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  for (const auto& [bytes, problem] : by_workspace)
    plans_[{problem.m, problem.n, problem.k}] = std::make_unique<GemmPlan>(engine, problem, schedule.choice);
}

TilePlans::TilePlans(const Engine& engine) : engine_(engine) {}

TilePlans::~TilePlans() = default;

TilePlans& TilePlans::unaligned() {
  if (unaligned_) return *unaligned_;
  std::unique_ptr<TilePlans> made(new TilePlans(engine_));
  for (const auto& [sizes, plan] : plans_) {
    GemmProblem problem = plan->problem();
    problem.offset_alignment = 1;
    made->plans_[sizes] = std::make_unique<GemmPlan>(
        engine_, problem, Choice{plan->explanation().variant, plan->explanation().configuration});
  }
  unaligned_ = std::move(made);
  return *unaligned_;
}

cl::Event TilePlans::enqueue(const TileSizes& sizes, const cl::CommandQueue& queue, const GemmOperands& operands,
                             std::span<const cl_event> waits) {
  return enqueue_product(*plans_.at({sizes.m, sizes.n, sizes.k}), queue(), operands, waits);
}

}  // namespace tilewright::detail
