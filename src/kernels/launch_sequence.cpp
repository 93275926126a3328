#include "kernels/launch_sequence.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/build_options.hpp"
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
  return (!input || is_made(*input)) && (!scalar || call.values.scalars[*scalar] != 0.0);
}

GridDepth depth_of(const Launch& launch, const ProblemRun& run, std::uint64_t batch_count) {
  if (launch.shared) return all_of(launch);
  const std::size_t per_problem = launch.global[2] / batch_count;
  return {run.first * per_problem, run.count * per_problem};
}

void set_run(const ProblemRun& run, CallValues& values) {
  values.size = run.size;
  values.scalars = run.scalars;
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
  options += define_if(std::any_of(launches.begin(), launches.end(), is_split), "GRID_IN_PARTS");
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
  orphans_.append_to(call.waits, queue);
  CommandChain chain(queue, call.waits, *arena_, workspace_bytes_, call.workspace);
  try {
    const auto is_image = [](const cl::Memory& image) { return image() != nullptr; };
    if (fixed_.batch_offsets != nullptr || std::any_of(images_.begin(), images_.end(), is_image)) chain.share(pending_);
    const bool many = steps_.size() > 1 || !call.runs.empty() || call.prologue != nullptr;
    if (!many || !fail_together_) chain.expect_steps(many);
    if (!call.event) chain.leave_out_times();
    bind_workspaces(call, chain.memory());
    if (call.workspace.buffer != nullptr) clear_tickets(chain);
    if (call.prologue) call.prologue(chain);
    const bool prepares =
        std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.launch.prepares.has_value(); });
    prepares && !call.runs.empty() ? add_run_by_run(chain, call) : add_steps(chain, call, nullptr, call.event);
    Event last = chain.finish(call.event);
    orphans_.name_last(queue, last.get());
    return last;
  } catch (...) {
    chain.leave_to(orphans_);
    throw;
  }
}

void LaunchSequence::run(CommandChain& chain, CallValues values, bool event) const {
  if (!workspaces_.empty() || fixed_.batch_offsets != nullptr)
    throw std::logic_error("a sequence in another call's chain has memory of its own");
  SequenceCall call{.values = std::move(values)};
  add_steps(chain, call, nullptr, event);
}

// Adds one launch: for one run if `only` is set, otherwise once per run. Launches that pack inputs run once, for all
// problems.
void LaunchSequence::add_step(CommandChain& chain, const Step& step, SequenceCall& call, const ProblemRun* only,
                              bool event, bool parallel) const {
  const auto launch = [&](const GridDepth& depth, bool makes_event) {
    chain.launch(
        step.kernel, step.launch, depth, [&] { set_call_arguments(step.kernel(), step.launch, fixed_, call.values); },
        makes_event, parallel);
  };
  if (only != nullptr) return launch(depth_of(step.launch, *only, fixed_.batch_count), event);
  if (call.runs.empty() || step.launch.packs) return launch(all_of(step.launch), event);
  for (const ProblemRun& run : call.runs) {
    set_run(run, call.values);
    launch(depth_of(step.launch, run, fixed_.batch_count), event && &run == &call.runs.back());
  }
}

// Adds the launches that the call needs, for one run or for all problems.
void LaunchSequence::add_steps(CommandChain& chain, SequenceCall& call, const ProblemRun* only, bool event) const {
  std::optional<Stage> stage;
  for (const Step& step : steps_) {
    if (!is_needed(step.launch, call)) continue;
    const Stage before = std::exchange(stage, stage_of(step.launch)).value_or(Stage::rest);
    add_step(chain, step, call, only, event && &step == &steps_.back(), stage == before && stage != Stage::rest);
  }
}

// Each run reuses the buffers that the previous run's preparations filled, so it waits for that run.
void LaunchSequence::add_run_by_run(CommandChain& chain, SequenceCall& call) const {
  for (const ProblemRun& run : call.runs) {
    set_run(run, call.values);
    call.reads_inputs = run.reads_inputs;
    add_steps(chain, call, &run, call.event && &run == &call.runs.back());
  }
}

// Memory that the caller lends has arbitrary contents.
void LaunchSequence::clear_tickets(CommandChain& chain) const {
  const auto tickets = std::find_if(workspaces_.begin(), workspaces_.end(), [](const Workspace& workspace) {
    return workspace.kind == Workspace::Kind::tickets;
  });
  if (tickets == workspaces_.end()) return;
  const auto& [buffer, begin] = chain.workspace();
  const std::uint64_t offset = begin + workspace_offsets_[static_cast<std::size_t>(tickets - workspaces_.begin())];
  const auto clear = [&, lent = buffer](std::span<const cl_event> waits, bool event) {
    return enqueue_zeros(chain.queue(), lent, offset, tickets->bytes, waits, event);
  };
  chain.add(clear, true);
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
