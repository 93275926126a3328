// The compiled launches of a plan, and the enqueueing of one call.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/command_chain.hpp"
#include "kernels/kernel_arguments.hpp"
#include "kernels/launch_kernel.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "runtime/engine_state.hpp"
#include "tilewright/event.hpp"

namespace tilewright::detail {

/// The source that a plan's kernels are compiled from.
struct KernelSource {
  const char* variant;                  ///< name of the program in messages
  std::vector<std::string_view> files;  ///< paths below cl/, in the order of concatenation
  std::string options;
};

/// Returns the program of a plan: its concatenated source, and its options with those that the launches need.
ProgramRequest program_request(const KernelSource& source, std::span<const Launch> launches);

/// Consecutive problems of a batch that share a size and scalars, for calls in which others differ.
struct ProblemRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool reads_inputs = true;  ///< false: launches that pack or prepare inputs are skipped
  std::uint64_t size = 0;
  CallScalars scalars{};
};

/// Throws Error(out_of_memory) if the device does not allocate a workspace of `bytes` at once. The message ends with
/// `hint`.
void check_allocation(const DeviceProfile& device, std::uint64_t bytes, const char* hint = "");

/// One call of a plan whose operands have been checked.
struct SequenceCall {
  CallValues values{};  ///< the sequence binds the workspaces
  /// Runs one launch per ProblemRun. If launches prepare data, which may depend on the scalars, each run gets its own
  /// sequence. Empty: all problems at once.
  std::span<const ProblemRun> runs{};
  std::vector<cl_event> waits{};
  WorkspaceRef workspace{};        ///< lent by the caller; null: the engine's
  bool reads_inputs = true;        ///< false: launches that pack or prepare inputs are skipped
  bool event = true;               ///< false: no event is made unless the sequence needs one
  std::array<cl_mem, 3> packed{};  ///< memory used instead of the packed copy of that matrix; null: it is packed
  std::function<void(CommandChain& chain)> prologue{};  ///< adds steps that must run first; may be empty
};

/// The compiled launches of a plan with their workspaces: sets arguments and enqueues. Knows no operation. A plan must
/// call it under its own lock. Holds no Engine, because the engine keeps plans.
class LaunchSequence {
 public:
  struct Step {
    LaunchKernel kernel;
    Launch launch;
  };

  explicit LaunchSequence(const Engine& engine)
      : context_(state_of(engine).context()),
        device_(state_of(engine).device()),
        arena_(state_of(engine).shared_part<WorkspaceArena>()),
        fail_together_(quirks_of(engine.profile().vendor).commands_fail_together) {}

  /// Compiles the launches. Returns false if a compiled kernel allows only smaller work-groups than its launch has.
  bool compile(EngineState& engine, const KernelSource& source, std::vector<Launch> launches);

  /// Compiles launches that no other configuration can replace, and sets the arguments that are equal in all calls.
  /// Throws Error(invalid_configuration) if a compiled kernel allows only smaller work-groups.
  void build(const Engine& engine, const KernelSource& source, std::vector<Launch> launches, const FixedValues& fixed);

  /// Allocates the workspaces of the launches; `element_bytes` is the size of a sum. Throws Error(out_of_memory).
  void allocate(const DeviceProfile& device, std::vector<Workspace> workspaces, std::size_t element_bytes);

  /// Sets the arguments that are equal in all calls. Call once, before the first call.
  void fix(const FixedValues& values);

  bool empty() const { return steps_.empty(); }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const cl::Program& program() const { return program_; }

  /// Returns the launch that packs a matrix, or null.
  const Step* packing_of(std::uint64_t input) const;

  /// Enqueues only the packing of a matrix, into newly allocated memory.
  Event pack(cl_command_queue queue, const Step& packing, CallValues values, std::span<const cl_event> waits,
             cl::Memory& memory, std::uint64_t& bytes);

  /// Enqueues all launches. The event covers everything that was enqueued. If OpenCL fails after a part of the call was
  /// enqueued, the Error's message says so.
  Event enqueue(cl_command_queue queue, SequenceCall& call);

  /// Adds all launches to a chain. The sequence must have no workspaces.
  void run(CommandChain& chain, CallValues values, bool event = false) const;

 private:
  bool allows(const cl::Kernel& kernel, const std::vector<std::size_t>& local) const;
  void clear_tickets(CommandChain& chain) const;
  void bind_workspaces(SequenceCall& call, const CallMemory& memory) const;
  void add_step(CommandChain& chain, const Step& step, SequenceCall& call, const ProblemRun* only, bool event,
                bool parallel) const;
  void add_steps(CommandChain& chain, SequenceCall& call, const ProblemRun* only, bool event) const;
  void add_run_by_run(CommandChain& chain, SequenceCall& call) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<WorkspaceArena> arena_;
  bool fail_together_;  // no command of a queue succeeds after one that failed
  cl::Program program_;
  std::vector<Step> steps_;
  FixedValues fixed_;
  std::vector<Workspace> workspaces_;
  std::vector<cl::Memory> images_;                // one per workspace; null for a part of a buffer
  std::vector<std::uint64_t> workspace_offsets_;  // in bytes
  std::uint64_t workspace_bytes_ = 0;
  std::size_t element_bytes_ = 1;
  PendingCommands pending_;  // users of the images and of FixedValues::batch_offsets
  PendingCommands orphans_;  // commands of calls that failed before all of their commands were enqueued
};

}  // namespace tilewright::detail
