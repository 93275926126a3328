#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <utility>

#include "gemm/operand_check.hpp"
#include "gemm/selections.hpp"
#include "gemm/shape_recorder.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/kernel_source.hpp"

namespace tilewright {
namespace {

using namespace detail;

std::string build_options(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem) {
  std::string options = "-cl-std=CL1.2";
  const auto define = [&](std::string name, std::int64_t value) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    options += " -D" + name + '=' + std::to_string(value);
  };
  define("real_bits", problem.type == DataType::f32 ? 32 : 64);
  define("index_bits", needs_64_bit_indices(problem) ? 64 : 32);
  define("trans_a", problem.trans_a == Transpose::yes);
  define("trans_b", problem.trans_b == Transpose::yes);
  const auto& launch = variant.launch_parameters;
  for (const auto& [name, value] : configuration)
    if (std::find(launch.begin(), launch.end(), name) == launch.end()) define(name, value);
  if (variant.extra_defines != nullptr) options += variant.extra_defines(configuration, problem);
  return options;
}

cl::Memory allocate(const cl::Context& context, const DeviceProfile& device, const Workspace& workspace) {
  if (workspace.kind == Workspace::Kind::float4_image)
    return cl::Image2D(context, CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_FLOAT), workspace.width,
                       workspace.height);
  if (workspace.bytes > device.max_allocation_bytes)
    throw Error(ErrorCode::out_of_memory, "a workspace of " + std::to_string(workspace.bytes) +
                                              " bytes is more than the device allocates at once (" +
                                              std::to_string(device.max_allocation_bytes) + ")");
  return cl::Buffer(context, CL_MEM_READ_WRITE, workspace.bytes);
}

// A kernel with its launch; the arguments that a call cannot change are set once.
struct Step {
  cl::Kernel kernel;
  Pass pass;
};

// What one call sets; k is 0 where A and B are not read.
struct CallValues {
  std::uint64_t k;
  double alpha;
  double beta;
  GemmOperands operands;
};

class ArgumentSetter {
 public:
  ArgumentSetter(const GemmProblem& problem, const std::vector<cl::Memory>& workspaces)
      : problem_(problem), workspaces_(workspaces), wide_(needs_64_bit_indices(problem)) {}

  void set_fixed(cl_kernel kernel, const Pass& pass) {
    visit(kernel, pass, [&](const KernelArgument& argument) {
      switch (argument.operand) {
        case Operand::m:
          return index(problem_.m);
        case Operand::n:
          return index(problem_.n);
        case Operand::lda:
          return index(problem_.lda);
        case Operand::ldb:
          return index(problem_.ldb);
        case Operand::ldc:
          return index(problem_.ldc);
        case Operand::index:
          return index(argument.value);
        case Operand::offset:
          return value(static_cast<cl_ulong>(argument.value));
        case Operand::workspace:
          return value(workspaces_[argument.value]());
        default:
          return skip(argument.operand);
      }
    });
  }

  void set_call(cl_kernel kernel, const Pass& pass, const CallValues& call) {
    visit(kernel, pass, [&](const KernelArgument& argument) {
      switch (argument.operand) {
        case Operand::k:
          return index(call.k);
        case Operand::alpha:
          return scalar(call.alpha);
        case Operand::beta:
          return scalar(call.beta);
        case Operand::a:
          return matrix(call.operands.a);
        case Operand::b:
          return matrix(call.operands.b);
        case Operand::c:
          return matrix(call.operands.c);
        default:
          return skip(argument.operand);
      }
    });
  }

 private:
  template <class Set>
  void visit(cl_kernel kernel, const Pass& pass, Set&& set) {
    kernel_ = kernel;
    position_ = 0;
    for (const auto& argument : pass.arguments) set(argument);
  }

  template <class T>
  void value(const T& v) {
    check(clSetKernelArg(kernel_, position_++, sizeof v, &v), "clSetKernelArg");
  }
  void index(std::uint64_t v) { wide_ ? value(static_cast<cl_long>(v)) : value(static_cast<cl_int>(v)); }
  void scalar(double v) { problem_.type == DataType::f32 ? value(static_cast<cl_float>(v)) : value(cl_double{v}); }
  void matrix(const MatrixRef& ref) {
    value(ref.buffer);
    value(static_cast<cl_ulong>(ref.offset));
  }
  void skip(Operand operand) {
    position_ += operand == Operand::a || operand == Operand::b || operand == Operand::c ? 2 : 1;
  }

  const GemmProblem& problem_;
  const std::vector<cl::Memory>& workspaces_;
  bool wide_;
  cl_kernel kernel_ = nullptr;
  cl_uint position_ = 0;
};

}  // namespace

// Keeps no Engine: the engine keeps plans.
class GemmPlan::State {
 public:
  State(const Engine& engine, const GemmProblem& problem, const GemmChoice& choice)
      : context_(engine.state().context()),
        device_(engine.state().device()),
        programs_(engine.state().programs()),
        asked_(problem),
        problem_(normalized(problem)),
        swapped_(problem.layout == Layout::column_major) {
    record_shape(problem_);
    const auto selected = engine.state().part<GemmSelections>().get(engine.profile(), problem_, choice);
    const GemmSelection& selection = *selected;
    variant_ = selection.variant->name;
    for (const Configuration& configuration : selection.configurations) {
      configuration_ = configuration;
      if (problem_.m == 0 || problem_.n == 0) return;
      if (compile(engine.state(), *selection.variant)) return;
    }
    throw Error(ErrorCode::invalid_configuration,
                "variant '" + variant_ + "' cannot run with " + to_string(configuration_) +
                    ": the compiled kernel needs more registers than the device has for so large a work-group");
  }

  Event enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits) {
    CallValues call{problem_.k, operands.alpha, operands.beta, operands};
    if (swapped_) std::swap(call.operands.a, call.operands.b);
    const bool reads_operands = problem_.k > 0 && !is_zero(call.alpha);
    check_queue(context_, device_, queue, waits);
    check_operands(context_, problem_, call.operands, reads_operands, swapped_ ? "BAC" : "ABC");
    if (!reads_operands) {
      call.k = 0;
      call.alpha = 0;  // not infinity or NaN times an empty sum
      call.operands.a = call.operands.b = call.operands.c;
    }

    std::unique_lock lock(mutex_);
    Event event = launch(queue, call, waits, reads_operands);
    if (!reads_operands || std::exchange(was_enqueued_, true)) return event;
    lock.unlock();
    programs_->enqueued(program_);
    return event;
  }

  const GemmProblem& asked() const { return asked_; }
  const std::string& variant() const { return variant_; }
  const Configuration& configuration() const { return configuration_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  // A scalar that is too small for the problem's type reaches the kernel as 0.
  bool is_zero(double scalar) const {
    return problem_.type == DataType::f32 ? static_cast<float>(scalar) == 0 : scalar == 0;
  }

  // False where a compiled kernel allows only smaller work-groups than the configuration asks for.
  bool compile(EngineState& engine, const GemmVariant& variant) {
    program_ = engine.program({variant.name, kernel_source({"common/real.cl", "gemm/operands.cl", variant.file}),
                               build_options(variant, configuration_, problem_)});
    steps_.clear();
    for (Pass& pass : variant.passes(configuration_, problem_, engine.profile())) {
      cl::Kernel kernel(program_, pass.kernel);
      if (!allows(kernel, pass.local)) return false;
      steps_.push_back({std::move(kernel), std::move(pass)});
    }
    if (variant.workspaces != nullptr)
      for (const Workspace& workspace : variant.workspaces(configuration_, problem_, engine.profile())) {
        workspaces_.push_back(allocate(context_, engine.profile(), workspace));
        workspace_bytes_ += workspace.bytes;
      }
    ArgumentSetter setter(problem_, workspaces_);
    for (const Step& step : steps_) setter.set_fixed(step.kernel(), step.pass);
    return true;
  }

  // A size that the kernel itself demands was settled when it was compiled; for such kernels NVIDIA's driver reports
  // the limit of kernels that demand none.
  bool allows(const cl::Kernel& kernel, const std::vector<std::size_t>& local) const {
    if (kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device_)[0] != 0) return true;
    std::size_t items = 1;
    for (const auto size : local) items *= size;
    return items <= kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
  }

  Event launch(cl_command_queue queue, const CallValues& call, std::span<const cl_event> waits, bool reads_operands) {
    if (steps_.empty()) {
      cl_event event = nullptr;
      check(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                        waits.empty() ? nullptr : waits.data(), &event),
            "clEnqueueMarkerWithWaitList");
      return Event(event);
    }

    // The operands' copies wait for the caller and for the last user of the workspace; the product waits for them.
    std::vector<cl_event> first_waits(waits.begin(), waits.end());
    for (const cl::Event& event : workspace_users_)
      if (is_pending(event) && !comes_before_all(event, queue)) first_waits.push_back(event());
    std::vector<cl::Event> prepared;
    Event last;
    ArgumentSetter setter(problem_, workspaces_);
    for (const Step& step : steps_) {
      if (step.pass.prepares && !reads_operands) continue;
      setter.set_call(step.kernel(), step.pass, call);
      std::vector<cl_event> product_waits;
      for (const cl::Event& event : prepared) product_waits.push_back(event());
      const auto& wait_list = step.pass.prepares || prepared.empty() ? first_waits : product_waits;
      last = launch(queue, step, wait_list);
      if (!workspaces_.empty()) {
        if (!step.pass.prepares) prepared.clear();  // what comes next needs only this one
        prepared.emplace_back(last.get(), true);
        workspace_users_.emplace_back(last.get(), true);
      }
    }
    if (!workspaces_.empty()) {
      workspace_users_.assign(1, cl::Event(last.get(), true));
      // The next call may come on another queue, and may only wait for commands that were flushed.
      check(clFlush(queue), "clFlush");
    }
    return last;
  }

  // Neither complete nor failed: who waits for a failed command fails with it.
  static bool is_pending(const cl::Event& event) {
    return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() > CL_COMPLETE;
  }

  // Whether the queue's own order is enough. An event of every call that waits for the one before would also keep that
  // one alive in drivers that never let go of what an event waited for, and so on for as long as calls keep coming.
  static bool comes_before_all(const cl::Event& event, cl_command_queue queue) {
    if (event.getInfo<CL_EVENT_COMMAND_QUEUE>()() != queue) return false;
    cl_command_queue_properties properties = 0;
    check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
          "clGetCommandQueueInfo");
    return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  }

  static Event launch(cl_command_queue queue, const Step& step, const std::vector<cl_event>& waits) {
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue, step.kernel(), static_cast<cl_uint>(step.pass.global.size()), nullptr,
                                 step.pass.global.data(), step.pass.local.empty() ? nullptr : step.pass.local.data(),
                                 static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &event),
          "clEnqueueNDRangeKernel");
    return Event(event);
  }

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  GemmProblem asked_;
  GemmProblem problem_;
  bool swapped_;
  std::string variant_;
  Configuration configuration_;
  std::uint64_t workspace_bytes_ = 0;
  cl::Program program_;

  std::mutex mutex_;           // held while the kernels' arguments are set and enqueued
  bool was_enqueued_ = false;  // all steps, once
  std::vector<Step> steps_;
  std::vector<cl::Memory> workspaces_;
  std::vector<cl::Event> workspace_users_;
};

GemmPlan::GemmPlan(const Engine& engine, const GemmProblem& problem, const GemmChoice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
GemmPlan::~GemmPlan() = default;
GemmPlan::GemmPlan(GemmPlan&&) noexcept = default;
GemmPlan& GemmPlan::operator=(GemmPlan&&) noexcept = default;

Event GemmPlan::enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const GemmProblem& GemmPlan::problem() const { return state_->asked(); }
const std::string& GemmPlan::variant() const { return state_->variant(); }
const Configuration& GemmPlan::configuration() const { return state_->configuration(); }
std::uint64_t GemmPlan::workspace_bytes() const { return state_->workspace_bytes(); }

}  // namespace tilewright
