#include "kernels/plans/plan_state.hpp"

#include "kernels/operands/operand_check.hpp"

namespace tilewright::detail {

PlanBase::PlanBase(const Engine& engine)
    : context_(state_of(engine).context()),
      device_(state_of(engine).device()),
      programs_(state_of(engine).programs()),
      arena_(state_of(engine).shared_part<WorkspaceArena>()) {
  process().check();
}

void PlanBase::reserve_workspace(const Engine& engine, std::uint64_t bytes, const char* hint) {
  check_allocation(engine.profile(), bytes, hint);
  if (bytes > 0) arena_->reserve(context_, bytes, false);
  workspace_bytes_ = bytes;
}

void PlanBase::check_call(cl_command_queue queue, std::span<const cl_event> waits) const {
  process().check();
  check_queue(context_, device_, queue, waits);
}

}  // namespace tilewright::detail
