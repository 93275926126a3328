#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel_arguments.hpp"
#include "kernels/launch_kernel.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/memory/pending_commands.hpp"
#include "runtime/memory/workspace_arena.hpp"
#include "tilewright/event.hpp"

namespace tilewright::detail {

/// What a plan's kernels are compiled from.
struct KernelSource {
  const char* variant;                  ///< what the program is called in messages
  std::vector<std::string_view> files;  ///< below cl/, in their order
  std::string options;
};

/// The program of a plan: its source in one piece, and its options with those that the launches need.
ProgramRequest program_request(const KernelSource& source, std::span<const Launch> launches);

/// Problems of a batch that follow one another and share a depth and scalars, where not all of a call do.
struct ProblemRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t depth = 0;  ///< 0: these problems do not read the inputs
  CallScalars scalars{};
};

/// One call of a plan, after its checks.
struct SequenceCall {
  CallValues values{};  ///< its workspaces are bound by the sequence
  /// Each in a launch of its own, or in a sequence of its own where something is prepared, which may depend on its
  /// scalars; none: all problems at once.
  std::span<const ProblemRun> runs{};
  std::vector<cl_event> waits{};
  cl_mem workspace = nullptr;          ///< lent by the caller; null: the engine's own
  std::uint64_t workspace_offset = 0;  ///< in bytes
  bool reads_inputs = true;            ///< else launches that pack or prepare inputs are left out
  bool event = true;                   ///< else none is made where nothing else needs it
  bool is_enqueued = false;            ///< set by the sequence: a launch, at least
  std::array<cl_mem, 3> packed{};      ///< takes the place of what would be packed of that matrix; null: it is packed
  /// Enqueues what must come first, after `waits`, and replaces `waits` by what the launches then wait for. Every
  /// command but the launches' is appended to `parts`. May be empty.
  std::function<void(std::vector<cl_event>& waits, std::vector<cl::Event>& parts)> prologue{};
};

/// The compiled launches of a plan with their workspaces: sets arguments and enqueues. Knows no operation. A plan calls
/// it under a lock of its own. Keeps no Engine: the engine keeps plans.
class LaunchSequence {
 public:
  struct Step {
    LaunchKernel kernel;
    Launch launch;
  };

  LaunchSequence(const EngineState& engine, std::shared_ptr<WorkspaceArena> arena)
      : context_(engine.context()), device_(engine.device()), arena_(std::move(arena)) {}

  /// Compiles the launches. False where a compiled kernel allows only smaller work-groups than its launch has.
  bool compile(EngineState& engine, const KernelSource& source, std::vector<Launch> launches);

  /// Takes the workspaces that the launches ask for, of elements of a size; throws Error(out_of_memory).
  void allocate(const DeviceProfile& device, std::vector<Workspace> workspaces, std::size_t element_bytes);

  /// Sets the arguments that no call changes. Once, before the first call.
  void fix(const FixedValues& values);

  bool empty() const { return steps_.empty(); }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const cl::Program& program() const { return program_; }

  /// The launch that packs a matrix, or null.
  const Step* packing_of(std::uint64_t input) const;

  /// Enqueues the packing of a matrix alone, into memory of its own, which is made.
  Event pack(cl_command_queue queue, const Step& packing, CallValues values, std::span<const cl_event> waits,
             cl::Memory& memory, std::uint64_t& bytes);

  /// Enqueues all launches. The event covers everything that was enqueued. Where OpenCL fails after a part of the call
  /// was enqueued, the message of the Error says so.
  Event enqueue(cl_command_queue queue, SequenceCall& call);

 private:
  bool allows(const cl::Kernel& kernel, const std::vector<std::size_t>& local) const;
  void clear_tickets(cl_command_queue queue, SequenceCall& call, std::vector<cl::Event>& parts) const;
  void bind_workspaces(SequenceCall& call, cl_mem buffer, cl_mem zeros, std::uint64_t bytes) const;
  Event enqueue_step(cl_command_queue queue, const Step& step, SequenceCall& call, const ProblemRun* only,
                     std::span<const cl_event> waits, std::vector<cl::Event>& parts) const;
  Event enqueue_stages(cl_command_queue queue, SequenceCall& call, const ProblemRun* only, std::vector<cl_event> waits,
                       std::vector<cl::Event>& parts) const;
  Event enqueue_run_by_run(cl_command_queue queue, SequenceCall& call, std::vector<cl::Event>& parts) const;
  Event enqueue_steps(cl_command_queue queue, SequenceCall& call, std::vector<cl::Event>& parts);

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<WorkspaceArena> arena_;
  cl::Program program_;
  std::vector<Step> steps_;
  FixedValues fixed_;
  std::vector<Workspace> workspaces_;
  std::vector<cl::Memory> images_;                // as many as workspaces; null where that is part of a buffer
  std::vector<std::uint64_t> workspace_offsets_;  // in bytes
  std::uint64_t workspace_bytes_ = 0;
  std::size_t element_bytes_ = 1;
  PendingCommands pending_;  // those that use the images, or what the prologue writes
  PendingCommands orphans_;  // commands of calls that failed before all of theirs were enqueued
};

}  // namespace tilewright::detail
