#include "gemm/plan_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gemm/operand_check.hpp"
#include "gemm/scalar_runs.hpp"
#include "gemm/selections.hpp"
#include "gemm/shape_recorder.hpp"
#include "runtime/kernel_source.hpp"

namespace tilewright {

using namespace detail;

namespace {

std::string build_options(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                          const DeviceProfile& device) {
  std::string options = "-cl-std=CL1.2";
  const auto define = [&](std::string name, std::int64_t value) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    options += " -D" + name + '=' + std::to_string(value);
  };
  define("real_bits", problem.type == DataType::f32 ? 32 : 64);
  define("index_bits", needs_64_bit_indices(problem) ? 64 : 32);
  define("trans_a", problem.trans_a == Transpose::yes);
  define("trans_b", problem.trans_b == Transpose::yes);
  if (device.aligned_buffers) define("aligned_buffers", 1);
  if (is_batched(problem)) define("batch", problem.batch.by_offsets ? 2 : 1);
  const auto& launch = variant.launch_parameters;
  for (const auto& [name, value] : configuration)
    if (std::find(launch.begin(), launch.end(), name) == launch.end()) define(name, value);
  if (variant.extra_defines != nullptr) options += variant.extra_defines(configuration, problem);
  return options;
}

void check_allocation(const DeviceProfile& device, std::uint64_t bytes) {
  if (bytes > device.max_allocation_bytes)
    throw Error(ErrorCode::out_of_memory, OperandName::workspace,
                "a workspace of " + std::to_string(bytes) + " bytes is more than the device allocates at once (" +
                    std::to_string(device.max_allocation_bytes) + ")");
}

cl::Memory allocate_memory(const cl::Context& context, const Workspace& workspace) {
  if (workspace.kind == Workspace::Kind::float4_image)
    return cl::Image2D(context, CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_FLOAT), workspace.width,
                       workspace.height);
  return cl::Buffer(context, CL_MEM_READ_WRITE, workspace.bytes);
}

StoredMatrix stored(const GemmProblem& problem, Operand input) {
  return input == Operand::a ? stored_a(problem) : stored_b(problem);
}

// Elements of an operand, those between the matrices of a batch included.
std::uint64_t extent_of(const GemmProblem& problem, Operand input) {
  const std::uint64_t stride = input == Operand::a ? problem.batch.stride_a : problem.batch.stride_b;
  return stride * (std::max<std::uint64_t>(1, problem.batch.count) - 1) + stored(problem, input).extent();
}

// The work-items along a dimension of a pass that one launch may have: all of them, or whole work-groups. Where the
// driver chooses these, each work-item might be one; it is then left a number that divides well.
std::size_t items_of_launch(const Pass& pass, std::size_t dimension) {
  const std::size_t most = std::max<std::size_t>(1, pass.most_groups[dimension]);
  const std::size_t all = pass.global[dimension];
  const std::size_t local = pass.local.empty() ? 1 : pass.local[dimension];
  if (all / local <= most) return all;
  constexpr std::size_t even = 64;
  return pass.local.empty() && most > even ? most / even * even : most * local;
}

// Whether one launch is too small for a pass's grid along a dimension in which kernels ask for their group.
bool comes_in_parts(const Pass& pass) {
  for (std::size_t d = 0; d < std::min<std::size_t>(2, pass.global.size()); ++d)
    if (items_of_launch(pass, d) < pass.global[d]) return true;
  return false;
}

// A part of a grid's third dimension, in work-items.
struct Depth {
  std::size_t first;
  std::size_t count;
};

Depth all_of(const Pass& pass) { return {0, pass.global.size() < 3 ? 1 : pass.global[2]}; }

// A grid with more work-groups than the device takes comes in several launches, one after another, by global offsets.
// The event covers them all; those before the last are appended to `parts`.
Event enqueue_pass(cl_command_queue queue, const cl::Kernel& kernel, const Pass& pass, const Depth& depth,
                   std::span<const cl_event> waits, std::vector<cl::Event>& parts) {
  const auto dimensions = static_cast<cl_uint>(pass.global.size());
  const auto enqueue = [&](const std::size_t* offset, const std::size_t* global, std::span<const cl_event> behind) {
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue, kernel(), dimensions, offset, global,
                                 pass.local.empty() ? nullptr : pass.local.data(), static_cast<cl_uint>(behind.size()),
                                 behind.empty() ? nullptr : behind.data(), &event),
          "clEnqueueNDRangeKernel");
    return Event(event);
  };
  std::array<std::size_t, 3> end{1, 1, depth.first + depth.count}, step{1, 1, depth.count}, offset{}, global{};
  bool whole = dimensions < 3 || depth.count == pass.global[2];
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (d < 2) end[d] = pass.global[d];
    step[d] = items_of_launch(pass, d);
    whole = whole && step[d] == pass.global[d];
  }
  if (whole) return enqueue(nullptr, pass.global.data(), waits);

  Event last;
  for (offset[2] = depth.first; offset[2] < end[2]; offset[2] += step[2])
    for (offset[1] = 0; offset[1] < end[1]; offset[1] += step[1])
      for (offset[0] = 0; offset[0] < end[0]; offset[0] += step[0]) {
        for (std::size_t d = 0; d < 3; ++d) global[d] = std::min(step[d], end[d] - offset[d]);
        const bool is_first = last.get() == nullptr;
        const cl_event before = is_first ? nullptr : parts.emplace_back(last.release())();
        last = enqueue(offset.data(), global.data(), is_first ? waits : std::span(&before, 1));
      }
  return last;
}

}  // namespace

GemmPlan::State::State(const Engine& engine, const GemmProblem& problem, const GemmChoice& choice)
    : context_(engine.state().context()),
      device_(engine.state().device()),
      programs_(engine.state().programs()),
      arena_(engine.state().shared_part<WorkspaceArena>()),
      asked_(problem),
      fixed_{.problem = normalized(problem)},
      swapped_(problem.layout == Layout::column_major) {
  process().check();
  record_shape(fixed_.problem);
  const auto selected = engine.state().part<GemmSelections>().get(
      engine.profile(), [&](Ability ability) { return engine.probe(ability); }, fixed_.problem, choice);
  const GemmSelection& selection = *selected;
  variant_ = selection.variant->name;
  for (const Configuration& configuration : selection.configurations) {
    configuration_ = configuration;
    if (is_empty(fixed_.problem)) return;
    if (compile(engine.state(), *selection.variant)) return;
  }
  throw Error(ErrorCode::invalid_configuration,
              "variant '" + variant_ + "' cannot run with " + to_string(configuration_) +
                  ": the compiled kernel needs more registers than the device has for so large a work-group");
}

// A scalar that is too small for the problem's type reaches the kernel as 0.
bool GemmPlan::State::is_zero(double scalar) const {
  return fixed_.problem.type == DataType::f32 ? static_cast<float>(scalar) == 0 : scalar == 0;
}

bool GemmPlan::State::is_one(double scalar) const {
  return fixed_.problem.type == DataType::f32 ? static_cast<float>(scalar) == 1 : scalar == 1;
}

// False where a compiled kernel allows only smaller work-groups than the configuration asks for.
bool GemmPlan::State::compile(EngineState& engine, const GemmVariant& variant) {
  const GemmProblem& problem = fixed_.problem;
  std::vector<Pass> passes = launches(variant, configuration_, problem, engine.profile());
  std::vector<std::string_view> files = {"common/real.cl", "gemm/operands.cl"};
  files.insert(files.end(), variant.shared_files.begin(), variant.shared_files.end());
  files.emplace_back(variant.file);
  std::string options = build_options(variant, configuration_, problem, engine.profile());
  for (const Pass& pass : passes) options += pass.defines;
  if (std::any_of(passes.begin(), passes.end(), comes_in_parts)) options += " -DGRID_IN_PARTS=1";
  program_ = engine.program({variant.name, kernel_source(files), std::move(options)});
  steps_.clear();
  for (Pass& pass : passes) {
    cl::Kernel kernel(program_, pass.kernel);
    if (!allows(kernel, pass.local)) return false;
    steps_.push_back({std::move(kernel), std::move(pass)});
  }
  if (variant.workspaces != nullptr) workspaces_ = variant.workspaces(configuration_, problem, engine.profile());
  allocate(engine.profile());
  for (const Step& step : steps_) set_fixed_arguments(step.kernel(), step.pass, fixed_);
  return true;
}

// A size that the kernel itself demands was settled when it was compiled; for such kernels NVIDIA's driver reports the
// limit of kernels that demand none.
bool GemmPlan::State::allows(const cl::Kernel& kernel, const std::vector<std::size_t>& local) const {
  if (kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device_)[0] != 0) return true;
  std::size_t items = 1;
  for (const auto size : local) items *= size;
  return items <= kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
}

void GemmPlan::State::allocate(const DeviceProfile& device) {
  for (const Workspace& workspace : workspaces_) {
    const bool image = workspace.kind == Workspace::Kind::float4_image;
    images_.push_back(image ? allocate_memory(context_, workspace) : cl::Memory());
    workspace_offsets_.push_back(workspace_bytes_ / size_of(fixed_.problem.type));
    if (image) continue;
    check_allocation(device, workspace.bytes);
    workspace_bytes_ =
        (workspace_bytes_ + workspace.bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
  }
  check_allocation(device, workspace_bytes_);
  if (workspace_bytes_ > 0) arena_->reserve(context_, workspace_bytes_);
  if (fixed_.problem.batch.by_offsets) {
    offsets_.emplace(context_, fixed_.problem.batch.count);
    fixed_.batch_offsets = offsets_->buffer()();
  }
}

const GemmPlan::State::Step* GemmPlan::State::preparation_of(Operand input) const {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
    return step.pass.prepares && step.pass.prepares->input == input;
  });
  return found == steps_.end() ? nullptr : &*found;
}

// Everything that plans must agree on to share a packed matrix. A pass that is not shared makes a copy for each
// product.
std::string GemmPlan::State::form_of(Operand input) const {
  const GemmProblem& p = fixed_.problem;
  const bool is_a = input == Operand::a;
  const StoredMatrix matrix = stored(p, input);
  const Step* const preparation = preparation_of(input);
  std::string form = std::string(to_string(p.type)) + (is_a ? " A" : " B") +
                     ((is_a ? p.trans_a : p.trans_b) == Transpose::yes ? " transposed, " : ", ") +
                     std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns);
  const std::uint64_t stride = is_a ? p.batch.stride_a : p.batch.stride_b;
  if (stride != 0)
    form += ", " + std::to_string(p.batch.count) + " of them " + std::to_string(stride) + " apart";
  else if (preparation != nullptr && !preparation->pass.shared && p.batch.count > 1)
    form += ", " + std::to_string(p.batch.count) + " copies";
  if (p.batch.by_offsets) form += ", by offsets";
  return form + (preparation != nullptr ? ", " + preparation->pass.prepares->form + " for " + variant_
                                        : ", as stored with " + std::to_string(matrix.ld) + " from row to row");
}

// The same as the caller sees it.
std::string GemmPlan::State::description_of(Operand input) const {
  const GemmProblem& p = fixed_.problem;
  const bool is_a = input == Operand::a;
  const bool by_rows = asked_.layout == Layout::row_major;
  const StoredMatrix matrix = stored(p, input);
  const Step* const preparation = preparation_of(input);
  const std::uint64_t stride = is_a ? p.batch.stride_a : p.batch.stride_b;
  const std::string count = std::to_string(p.batch.count);
  std::string text = std::string(by_rows ? "a row-major " : "a column-major ") + std::string(to_string(p.type)) +
                     (is_a != swapped_ ? " A" : " B") +
                     ((is_a ? p.trans_a : p.trans_b) == Transpose::yes ? ", transposed" : "") + ", of " +
                     size_of_caller(matrix, asked_.layout) + " elements";
  if (stride != 0)
    text += ", " + count + " of them " + std::to_string(stride) + " apart";
  else if (preparation != nullptr && !preparation->pass.shared && p.batch.count > 1)
    text += ", in " + count + " copies";
  if (p.batch.by_offsets) text += ", by offsets";
  return text + (preparation != nullptr ? ", as " + preparation->pass.prepares->form + " for " + variant_
                                        : ", as stored with " + std::to_string(matrix.ld) + " from " +
                                              (by_rows ? "row to row" : "column to column"));
}

// The operand of the normalized problem that the caller calls A or B.
Operand GemmPlan::State::operand_of(GemmInput input) const {
  return (input == GemmInput::a) != swapped_ ? Operand::a : Operand::b;
}

std::unique_ptr<PackedMatrix::State> GemmPlan::State::pack(GemmInput input, cl_command_queue queue,
                                                           const MatrixRef& source, std::span<const cl_event> waits) {
  process().check();
  const GemmProblem& problem = fixed_.problem;
  const Operand operand = operand_of(input);
  const NamedMatrix& named = matrices_of_caller(asked_.layout)[input == GemmInput::a ? 0 : 1];
  check_queue(context_, device_, queue, waits);
  if (problem.batch.by_offsets)
    throw Error(ErrorCode::invalid_batch, named.operand,
                "the plan's batch is by offsets, which only its calls know; pack for a batch with strides");
  if (is_empty(problem) || problem.k == 0)
    throw Error(ErrorCode::unsuitable_packed_matrix, named.operand, "the plan reads no matrix that could be packed");
  check_input(context_, problem, asked_.layout, source, named);

  const Step* const preparation = preparation_of(operand);
  auto result = std::make_unique<PackedMatrix::State>(PackedMatrix::State{
      context_, device_, form_of(operand), description_of(operand), preparation != nullptr, {}, 0, {}, {}, {}});
  // Where the packing waits, a stamp waits with it and proves that nothing it waited for failed.
  constexpr cl_ulong stamp = 1;
  std::vector<cl_event> all_waits(waits.begin(), waits.end());
  cl::Buffer stamps;
  if (!waits.empty()) {
    cl_ulong none = 0;
    stamps = cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, &none);
    result->stamped = write_stamp(queue, stamps, stamp, waits);
    all_waits.push_back(result->stamped());
  }
  if (preparation == nullptr) {
    const std::uint64_t bytes = extent_of(problem, operand) * size_of(problem.type);
    result->memory = allocate_memory(context_, {.bytes = bytes});
    result->bytes = bytes;
    cl_event event = nullptr;
    check(clEnqueueCopyBuffer(queue, source.buffer, result->memory(), source.offset * size_of(problem.type), 0, bytes,
                              static_cast<cl_uint>(all_waits.size()), all_waits.empty() ? nullptr : all_waits.data(),
                              &event),
          "clEnqueueCopyBuffer");
    result->ready = cl::Event(event);
  } else {
    const std::uint64_t which = preparation->pass.prepares->workspace;
    result->memory = allocate_memory(context_, workspaces_[which]);
    result->bytes = workspaces_[which].bytes;
    CallValues call{.k = problem.k, .a = source, .b = source};
    call.workspaces.resize(workspaces_.size());
    call.workspaces[which] = {result->memory(), 0};
    const std::lock_guard lock(mutex_);
    set_call_arguments(preparation->kernel(), preparation->pass, fixed_, call);
    std::vector<cl::Event> parts;
    result->ready = cl::Event(
        enqueue_pass(queue, preparation->kernel, preparation->pass, all_of(preparation->pass), all_waits, parts)
            .release());
  }
  result->witness = waits.empty() ? std::make_unique<Witness>(result->ready)
                                  : std::make_unique<Witness>(queue, result->ready, stamps, 0, stamp);
  // Who waits for it may do so on another queue, and only for commands that were flushed.
  check(clFlush(queue), "clFlush");
  return result;
}

const PackedMatrix::State* GemmPlan::State::checked(const PackedMatrix* packed, GemmInput input) const {
  if (packed == nullptr) return nullptr;
  const OperandName operand = input == GemmInput::a ? OperandName::a : OperandName::b;
  if (packed->state_ == nullptr)
    throw Error(ErrorCode::null_object, operand, "the packed matrix was moved from and holds nothing");
  const PackedMatrix::State& state = *packed->state_;
  if (state.context() != context_() || state.device() != device_())
    throw Error(ErrorCode::foreign_object, operand,
                "the packed matrix was made in another context or for another device");
  if (state.form != form_of(operand_of(input)))
    throw Error(ErrorCode::unsuitable_packed_matrix, operand,
                "the packed matrix is " + state.description + "; this plan takes " + description_of(operand_of(input)) +
                    ". Pack it for this plan, or make the plan with the variant and configuration of the one it was "
                    "packed for");
  return &state;
}

// Waits for a packing as long as it may still fail, on whatever queue.
void GemmPlan::State::append_packing(const PackedMatrix::State& packed, OperandName operand,
                                     std::vector<cl_event>& waits) const {
  switch (packed.witness->outcome()) {
    case Witness::Outcome::failed:
      throw Error(ErrorCode::failed_wait, operand,
                  std::string("the packing of ") + std::string(to_string(operand)) + " has failed; pack it again");
    case Witness::Outcome::pending:
      packed.witness->append_to(waits);
      break;
    case Witness::Outcome::executed:
      break;
  }
}

Event GemmPlan::State::enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits) {
  process().check();
  const GemmProblem& problem = fixed_.problem;
  check_queue(context_, device_, queue, waits);
  GemmOperands ours = operands;
  const PackedMatrix::State* packed_a = checked(operands.packed_a, GemmInput::a);
  const PackedMatrix::State* packed_b = checked(operands.packed_b, GemmInput::b);
  if (packed_a != nullptr && !packed_a->prepared) ours.a = {static_cast<cl_mem>(packed_a->memory()), 0};
  if (packed_b != nullptr && !packed_b->prepared) ours.b = {static_cast<cl_mem>(packed_b->memory()), 0};
  if (swapped_) {
    std::swap(ours.a, ours.b);
    std::swap(ours.offsets.a, ours.offsets.b);
    std::swap(packed_a, packed_b);
  }
  CallValues call{.k = problem.k, .alpha = operands.alpha, .beta = operands.beta, .c = ours.c};
  check_offset_counts(problem, asked_.layout, ours.offsets);
  check_scalar_counts(problem, operands.scalars);
  std::vector<ScalarRun> runs;
  if (!operands.scalars.alpha.empty() || !operands.scalars.beta.empty()) runs = scalar_runs(problem, operands);
  if (runs.size() == 1) {
    call.alpha = runs[0].alpha;
    call.beta = runs[0].beta;
    runs.clear();
  }
  call.runs = runs;
  const bool reads_operands =
      runs.empty() ? problem.k > 0 && !is_zero(call.alpha)
                   : std::any_of(runs.begin(), runs.end(), [](const ScalarRun& run) { return run.reads_inputs(); });
  const bool reads_c = runs.empty()
                           ? !is_zero(call.beta)
                           : std::any_of(runs.begin(), runs.end(), [](const ScalarRun& run) { return run.reads_c(); });
  const OperandsRead reads{reads_operands && (packed_a == nullptr || !packed_a->prepared),
                           reads_operands && (packed_b == nullptr || !packed_b->prepared), reads_c};
  std::unique_lock lock(mutex_);
  const bool known_offsets = offsets_ && offsets_->holds(ours.offsets);
  check_operands({context_, problem, asked_.layout, reads, !known_offsets, workspace_bytes_}, ours);
  call.a = reads.a ? ours.a : ours.c;
  call.b = reads.b ? ours.b : ours.c;
  if (!reads_operands) {
    call.k = 0;
    call.alpha = 0;  // not infinity or NaN times an empty sum
  }

  Event event = launch(queue, call, ours, packed_a, packed_b, waits, reads_operands);
  if (!reads_operands || std::exchange(was_enqueued_, true)) return event;
  lock.unlock();
  programs_->enqueued(program_);
  return event;
}

Event GemmPlan::State::launch(cl_command_queue queue, CallValues& call, const GemmOperands& operands,
                              const PackedMatrix::State* packed_a, const PackedMatrix::State* packed_b,
                              std::span<const cl_event> waits, bool reads_operands) {
  if (steps_.empty() || (!reads_operands && call.runs.empty() && is_one(call.beta))) {  // C stays as it is
    cl_event event = nullptr;
    check(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                                      &event),
          "clEnqueueMarkerWithWaitList");
    return Event(event);
  }
  std::vector<cl::Event> parts;
  const auto keep = [&] {
    for (const cl::Event& part : parts) orphans_.add(part());
  };
  try {
    return enqueue_steps(queue, call, operands, packed_a, packed_b, waits, reads_operands, parts);
  } catch (const Error& error) {
    if (parts.empty()) throw;
    keep();
    throw Error(error.code(), error.operand(),
                std::string(error.what()) + "; a part of the call was enqueued before that and may still write C",
                error.opencl_status());
  } catch (...) {
    keep();
    throw;
  }
}

// One launch, or one for every run of products with scalars of their own, each after the one before. What prepares
// operands does so for all products.
Event GemmPlan::State::enqueue_step(cl_command_queue queue, const Step& step, CallValues& call,
                                    const std::vector<cl_event>& waits, std::vector<cl::Event>& parts) const {
  if (call.runs.empty() || step.pass.prepares) {
    set_call_arguments(step.kernel(), step.pass, fixed_, call);
    return enqueue_pass(queue, step.kernel, step.pass, all_of(step.pass), waits, parts);
  }
  const std::size_t per_product = step.pass.global[2] / fixed_.problem.batch.count;
  Event last;
  for (const ScalarRun& run : call.runs) {
    if (!run.changes_c()) continue;
    call.k = run.reads_inputs() ? fixed_.problem.k : 0;
    call.alpha = run.alpha;
    call.beta = run.beta;
    cl_event before = nullptr;
    if (last.get() != nullptr) before = parts.emplace_back(last.release())();
    set_call_arguments(step.kernel(), step.pass, fixed_, call);
    last = enqueue_pass(queue, step.kernel, step.pass, {run.first * per_product, run.count * per_product},
                        before != nullptr ? std::span<const cl_event>(&before, 1) : std::span<const cl_event>(waits),
                        parts);
  }
  return last;
}

Event GemmPlan::State::enqueue_steps(cl_command_queue queue, CallValues& call, const GemmOperands& operands,
                                     const PackedMatrix::State* packed_a, const PackedMatrix::State* packed_b,
                                     std::span<const cl_event> waits, bool reads_operands,
                                     std::vector<cl::Event>& parts) {
  // What prepares the operands waits for the caller and for the last users of the memory; the product waits for it.
  std::vector<cl_event> first_waits(waits.begin(), waits.end());
  std::optional<WorkspaceArena::Lease> lease;
  std::vector<Users*> users;
  if (workspace_bytes_ > 0 && operands.workspace.buffer == nullptr) {
    lease.emplace(*arena_);
    users.push_back(&lease->users());
  }
  if (offsets_ ||
      std::any_of(images_.begin(), images_.end(), [](const cl::Memory& image) { return image() != nullptr; }))
    users.push_back(&users_);
  for (Users* const other : users) other->append_to(first_waits, queue);
  orphans_.append_to(first_waits, queue);
  bind_workspaces(call, lease ? lease->buffer()() : operands.workspace.buffer,
                  lease ? 0 : operands.workspace.offset / size_of(fixed_.problem.type));
  for (const auto& [packed, input] : {std::pair{packed_a, Operand::a}, {packed_b, Operand::b}})
    if (packed != nullptr && reads_operands) {
      if (packed->prepared)
        call.workspaces[preparation_of(input)->pass.prepares->workspace] = {static_cast<cl_mem>(packed->memory()), 0};
      append_packing(*packed, (input == Operand::a) != swapped_ ? OperandName::a : OperandName::b, first_waits);
    }

  // The users know every command, whatever fails after it.
  std::size_t remembered = 0;
  const auto remember = [&] {
    for (; remembered < parts.size(); ++remembered)
      for (Users* const own : users) own->add(parts[remembered]());
  };
  Event last;
  try {
    if (offsets_ && offsets_->holds(operands.offsets)) {
      offsets_->append_to(first_waits);
    } else if (offsets_) {
      const cl::Event written = offsets_->write(queue, operands.offsets, first_waits,
                                                [&](cl_event event) { parts.emplace_back(event, true); });
      first_waits.assign(1, written());
    }
    std::vector<cl_event> prepared;
    bool was_preparing = false;
    for (const Step& step : steps_) {
      const auto& prepares = step.pass.prepares;
      if (prepares && (!reads_operands || (prepares->input == Operand::a ? packed_a : packed_b) != nullptr)) continue;
      if (last.get() != nullptr) {
        if (!was_preparing) prepared.clear();  // what comes next needs only this one
        prepared.push_back(parts.emplace_back(last.release())());
      }
      last = enqueue_step(queue, step, call, prepares || prepared.empty() ? first_waits : prepared, parts);
      was_preparing = prepares.has_value();
    }
    remember();
    for (Users* const own : users) own->add_last(last.get());
    // The next call may come on another queue, and may only wait for commands that were flushed.
    if (!users.empty()) check(clFlush(queue), "clFlush");
  } catch (...) {
    if (last.get() != nullptr) parts.emplace_back(last.release());
    remember();
    throw;
  }
  return last;
}

void GemmPlan::State::bind_workspaces(CallValues& call, cl_mem buffer, std::uint64_t offset) const {
  call.workspaces.resize(workspaces_.size());
  for (std::size_t i = 0; i < workspaces_.size(); ++i)
    call.workspaces[i] =
        images_[i]() != nullptr ? MatrixRef{images_[i](), 0} : MatrixRef{buffer, offset + workspace_offsets_[i]};
}

}  // namespace tilewright
