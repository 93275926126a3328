// The state that the plans of all operations share.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "kernels/launch_sequence.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/memory/workspace_arena.hpp"
#include "tilewright/choice.hpp"

namespace tilewright::detail {

/// The parts of an engine that every plan keeps, and its reports. Holds no Engine, because the engine keeps plans.
class PlanBase {
 public:
  PlanBase(const PlanBase&) = delete;
  PlanBase& operator=(const PlanBase&) = delete;

  const OwnProcess& process() const { return programs_->process(); }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 protected:
  /// Throws Error(device_lost) in a child made by fork().
  explicit PlanBase(const Engine& engine);
  ~PlanBase() = default;

  /// Reserves the plan's workspace for its command chains. Throws Error(out_of_memory), whose message ends with `hint`.
  void reserve_workspace(const Engine& engine, std::uint64_t bytes, const char* hint = "");

  /// Checks the process, the queue and the wait list of a call, before its operands.
  void check_call(cl_command_queue queue, std::span<const cl_event> waits) const;

  /// Returns a call of a sequence with the wait list, the workspace and the `event` flag of a call.
  template <class Operands>
  static SequenceCall sequence_call(const Operands& operands, std::span<const cl_event> waits) {
    SequenceCall call;
    call.waits.assign(waits.begin(), waits.end());
    call.workspace = operands.workspace;
    call.event = operands.event;
    return call;
  }

  /// Reports programs whose kernels have all been enqueued, unless `was_enqueued` says that they were reported before.
  /// Releases the plan's lock first, because the store may save the programs and log.
  template <class... Programs>
  void note_enqueued(std::unique_lock<std::mutex>& lock, bool& was_enqueued, const Programs&... programs) const {
    if (std::exchange(was_enqueued, true)) return;
    lock.unlock();
    (programs_->enqueued(programs), ...);
  }

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  std::shared_ptr<WorkspaceArena> arena_;
  Explanation explanation_;  // a configuration in it is the one that was compiled
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;           // held while kernel arguments are set and kernels are enqueued
  bool was_enqueued_ = false;  // whether the plan's program was reported as enqueued
};

/// A plan's state with the problem as the caller wrote it.
template <class Problem, class Base = PlanBase>
class PlanState : public Base {
 public:
  const Problem& problem() const { return asked_; }

 protected:
  template <class... Parts>
  PlanState(const Engine& engine, const Problem& problem, const Parts&... parts)
      : Base(engine, parts...), asked_(problem) {}

  Problem asked_;
};

}  // namespace tilewright::detail
