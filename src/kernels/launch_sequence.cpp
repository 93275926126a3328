#include "kernels/launch_sequence.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/enqueue_launch.hpp"
#include "kernels/partly_enqueued.hpp"
#include "runtime/program/kernel_source.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

static_assert(max_tickets * sizeof(cl_uint) <= zero_bytes);

cl::Memory allocate_memory(const cl::Context& context, const Workspace& workspace) {
  if (workspace.kind == Workspace::Kind::float4_image)
    return cl::Image2D(context, CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_FLOAT), workspace.width,
                       workspace.height);
  return cl::Buffer(context, CL_MEM_READ_WRITE, workspace.bytes);
}

// Launches of a stage wait for those of the stage before. Only launches of the last stage also wait for each other.
enum class Stage { preparations, packings, rest };

Stage stage_of(const Launch& launch) {
  if (launch.prepares) return Stage::preparations;
  return launch.packs ? Stage::packings : Stage::rest;
}

bool is_needed(const Launch& launch, const SequenceCall& call) {
  const auto is_made = [&](std::uint64_t input) { return call.reads_inputs && call.packed[input] == nullptr; };
  if (launch.packs) return is_made(launch.packs->input);
  if (!launch.prepares) return true;
  const auto& [input, scalar] = *launch.prepares;
  return (!input || is_made(*input)) && (!scalar || call.values.scalars[*scalar] != 0);
}

GridDepth depth_of(const Launch& launch, const ProblemRun& run, std::uint64_t batch_count) {
  if (launch.shared) return all_of(launch);
  const std::size_t per_problem = launch.global[2] / batch_count;
  return {run.first * per_problem, run.count * per_problem};
}

}  // namespace

void check_allocation(const DeviceProfile& device, std::uint64_t bytes, const char* hint) {
  if (bytes > device.max_allocation_bytes)
    throw Error(ErrorCode::out_of_memory, OperandName::workspace,
                "a workspace of " + std::to_string(bytes) + " bytes is more than the device allocates at once (" +
                    std::to_string(device.max_allocation_bytes) + ')' + hint);
}

ProgramRequest program_request(const KernelSource& source, std::span<const Launch> launches) {
  std::string options = source.options;
  for (const Launch& launch : launches) options += launch.defines;
  if (std::any_of(launches.begin(), launches.end(), is_split)) options += " -DGRID_IN_PARTS=1";
  return {source.variant, kernel_source(source.files), std::move(options)};
}

bool LaunchSequence::compile(EngineState& engine, const KernelSource& source, std::vector<Launch> launches) {
  program_ = engine.program(program_request(source, launches));
  steps_.clear();
  for (Launch& launch : launches) {
    LaunchKernel kernel(program_, launch.kernel);
    if (!allows(kernel.get(), launch.local)) return false;
    steps_.push_back({std::move(kernel), std::move(launch)});
  }
  return true;
}

void LaunchSequence::build(const Engine& engine, const KernelSource& source, std::vector<Launch> launches,
                           const FixedValues& fixed) {
  if (!compile(state_of(engine), source, std::move(launches)))
    throw Error(ErrorCode::invalid_configuration,
                std::string("the kernels of ") + source.variant +
                    " need more registers per work-group than the device has; use another device");
  fix(fixed);
}

// A size that the kernel itself demands was checked when it was compiled. For such kernels, NVIDIA's driver reports the
// limit of kernels that demand none.
bool LaunchSequence::allows(const cl::Kernel& kernel, const std::vector<std::size_t>& local) const {
  if (kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device_)[0] != 0) return true;
  std::size_t items = 1;
  for (const auto size : local) items *= size;
  return items <= kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
}

void LaunchSequence::allocate(const DeviceProfile& device, std::vector<Workspace> workspaces,
                              std::size_t element_bytes) {
  workspaces_ = std::move(workspaces);
  bool has_tickets = false;
  element_bytes_ = element_bytes;
  for (const Workspace& workspace : workspaces_) {
    const bool image = workspace.kind == Workspace::Kind::float4_image;
    images_.push_back(image ? allocate_memory(context_, workspace) : cl::Memory());
    workspace_offsets_.push_back(workspace_bytes_);
    if (image) continue;
    has_tickets = has_tickets || workspace.kind == Workspace::Kind::tickets;
    check_allocation(device, workspace.bytes);
    workspace_bytes_ =
        (workspace_bytes_ + workspace.bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
  }
  check_allocation(device, workspace_bytes_);
  if (workspace_bytes_ > 0) arena_->reserve(context_, workspace_bytes_, has_tickets);
}

void LaunchSequence::fix(const FixedValues& values) {
  fixed_ = values;
  for (const Step& step : steps_) set_fixed_arguments(step.kernel(), step.launch, fixed_);
}

const LaunchSequence::Step* LaunchSequence::packing_of(std::uint64_t input) const {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
    return step.launch.packs && step.launch.packs->input == input;
  });
  return found == steps_.end() ? nullptr : &*found;
}

Event LaunchSequence::pack(cl_command_queue queue, const Step& packing, CallValues values,
                           std::span<const cl_event> waits, cl::Memory& memory, std::uint64_t& bytes) {
  const std::uint64_t which = packing.launch.packs->workspace;
  memory = allocate_memory(context_, workspaces_[which]);
  bytes = workspaces_[which].bytes;
  values.workspaces.resize(workspaces_.size());
  values.workspaces[which] = {memory(), 0};
  set_call_arguments(packing.kernel(), packing.launch, fixed_, values);
  std::vector<cl::Event> parts;
  return enqueue_launch(queue, packing.kernel, packing.launch, all_of(packing.launch), waits, parts);
}

Event LaunchSequence::enqueue(cl_command_queue queue, SequenceCall& call) {
  std::vector<cl::Event> parts;
  const auto keep = [&] {
    for (const cl::Event& part : parts) orphans_.add(part());
  };
  try {
    return translated([&] { return enqueue_steps(queue, call, parts); });
  } catch (const Error& error) {
    if (!call.is_enqueued && parts.empty()) throw;
    keep();
    throw partly_enqueued(error);
  } catch (...) {
    keep();
    throw;
  }
}

// Enqueues one launch: for one run if `only` is set, otherwise once per run, each after the run before. Launches that
// pack inputs run once, for all problems.
Event LaunchSequence::enqueue_step(cl_command_queue queue, const Step& step, SequenceCall& call, const ProblemRun* only,
                                   std::span<const cl_event> waits, std::vector<cl::Event>& parts) const {
  if (only != nullptr || call.runs.empty() || step.launch.packs) {
    set_call_arguments(step.kernel(), step.launch, fixed_, call.values);
    const GridDepth depth = only != nullptr ? depth_of(step.launch, *only, fixed_.batch_count) : all_of(step.launch);
    return enqueue_launch(queue, step.kernel, step.launch, depth, waits, parts, call.event);
  }
  Event last;
  for (const ProblemRun& run : call.runs) {
    call.values.size = run.size;
    call.values.scalars = run.scalars;
    cl_event before = nullptr;
    if (last.get() != nullptr) before = parts.emplace_back(last.release())();
    set_call_arguments(step.kernel(), step.launch, fixed_, call.values);
    last = enqueue_launch(queue, step.kernel, step.launch, depth_of(step.launch, run, fixed_.batch_count),
                          before != nullptr ? std::span<const cl_event>(&before, 1) : waits, parts);
  }
  return last;
}

// Enqueues the launches that the call needs, for one run or for all problems.
Event LaunchSequence::enqueue_stages(cl_command_queue queue, SequenceCall& call, const ProblemRun* only,
                                     std::vector<cl_event> waits, std::vector<cl::Event>& parts) const {
  Event last;
  std::vector<cl_event> enqueued;  // in this stage
  std::optional<Stage> stage;
  for (const Step& step : steps_) {
    if (!is_needed(step.launch, call)) continue;
    if (last.get() != nullptr) enqueued.push_back(parts.emplace_back(last.release())());
    const Stage next = stage_of(step.launch);
    if (!enqueued.empty() && (next != stage || next == Stage::rest)) waits = std::exchange(enqueued, {});
    stage = next;
    last = enqueue_step(queue, step, call, only, waits, parts);
    call.is_enqueued = true;
  }
  return last;
}

// Each run reuses the buffers that the previous run's preparations filled, so it waits for that run.
Event LaunchSequence::enqueue_run_by_run(cl_command_queue queue, SequenceCall& call,
                                         std::vector<cl::Event>& parts) const {
  Event last;
  for (const ProblemRun& run : call.runs) {
    call.values.size = run.size;
    call.values.scalars = run.scalars;
    call.reads_inputs = run.reads_inputs;
    std::vector<cl_event> waits = call.waits;
    if (last.get() != nullptr) waits.assign(1, parts.emplace_back(last.release())());
    last = enqueue_stages(queue, call, &run, std::move(waits), parts);
  }
  return last;
}

Event LaunchSequence::enqueue_steps(cl_command_queue queue, SequenceCall& call, std::vector<cl::Event>& parts) {
  // Launches that pack inputs wait for the caller's events and for the last users of the memory. Launches that read the
  // copies wait for the packing.
  CallMemory memory(queue, *arena_, workspace_bytes_, call.workspace);
  const auto is_image = [](const cl::Memory& image) { return image() != nullptr; };
  if (call.prologue || std::any_of(images_.begin(), images_.end(), is_image)) memory.share(pending_);
  memory.append_to(call.waits);
  orphans_.append_to(call.waits, queue);
  // Further launches wait by events. So do other calls, except those that the order of a queue covers. A call with
  // waits may fail before the memory's other users are done, so the queue's order does not cover them.
  call.event = call.event || steps_.size() > 1 || call.prologue != nullptr || !call.waits.empty() ||
               (memory.is_shared() && !is_in_order(queue));
  bind_workspaces(call, memory);

  Event last;
  try {
    if (call.workspace.buffer != nullptr) clear_tickets(queue, call, parts);
    if (call.prologue) call.prologue(call.waits, parts);
    const bool prepares =
        std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.launch.prepares.has_value(); });
    last = prepares && !call.runs.empty() ? enqueue_run_by_run(queue, call, parts)
                                          : enqueue_stages(queue, call, nullptr, call.waits, parts);
    if (last.get() != nullptr && !parts.empty() && is_profiled(queue))
      for (const cl::Event& part : parts) last.begin_with(part());
    // The next call may use another queue, and may only wait for commands that were flushed. If there is no event, that
    // call flushes this queue itself.
    if (memory.is_shared() && last.get() != nullptr) check(clFlush(queue), "clFlush");
    memory.record(parts, last, true);
  } catch (...) {
    // The users of the memory must know every command.
    if (last.get() != nullptr) parts.emplace_back(last.release());
    if (memory.is_shared()) memory.record(parts, {}, false);
    throw;
  }
  return last;
}

// Memory that the caller lends has arbitrary contents.
void LaunchSequence::clear_tickets(cl_command_queue queue, SequenceCall& call, std::vector<cl::Event>& parts) const {
  const auto tickets = std::find_if(workspaces_.begin(), workspaces_.end(), [](const Workspace& workspace) {
    return workspace.kind == Workspace::Kind::tickets;
  });
  if (tickets == workspaces_.end()) return;
  const std::uint64_t offset =
      call.workspace.offset + workspace_offsets_[static_cast<std::size_t>(tickets - workspaces_.begin())];
  parts.emplace_back(enqueue_zeros(queue, call.workspace.buffer, offset, tickets->bytes, call.waits).release());
  call.waits.assign(1, parts.back()());
}

void LaunchSequence::bind_workspaces(SequenceCall& call, const CallMemory& memory) const {
  const auto& [buffer, offset] = memory.workspace();
  std::vector<MatrixRef>& bound = call.values.workspaces;
  bound.resize(workspaces_.size());
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    const Workspace& workspace = workspaces_[i];
    const bool tickets = workspace.kind == Workspace::Kind::tickets;
    const std::size_t element = workspace.element != 0 ? workspace.element : element_bytes_;
    if (images_[i]() != nullptr)
      bound[i] = {images_[i](), 0};
    else if (tickets && memory.zeros() != nullptr)
      bound[i] = {memory.zeros(), 0};
    else
      bound[i] = {buffer, (offset + workspace_offsets_[i]) / (tickets ? sizeof(cl_uint) : element)};
  }
  for (const Step& step : steps_) {
    const auto& packs = step.launch.packs;
    if (packs && call.reads_inputs && call.packed[packs->input] != nullptr)
      bound[packs->workspace] = {call.packed[packs->input], 0};
  }
}

}  // namespace tilewright::detail
