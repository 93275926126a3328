#include "vector/vector_plan.hpp"

#include <mutex>
#include <string>
#include <utility>

#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/launch_sequence.hpp"
#include "tilewright/error.hpp"
#include "vector/problem.hpp"
#include "vector/shape.hpp"

namespace tilewright::detail {
namespace {

KernelSource source_of(VectorOperation operation, DataType type, const VectorShape& shape) {
  const VectorKernel& kernel = kernel_of(operation);
  std::string options = "-cl-std=CL1.2 -DINDEX_BITS=64 -DWIDTH=" + std::to_string(shape.width) +
                        " -DUNROLL=" + std::to_string(shape.unroll) + " -DSUMS=" + std::to_string(shape.sums) +
                        " -DWG=" + std::to_string(shape.group) + " -DCHUNKED=" + (shape.chunked ? "1" : "0") +
                        kernel.defines;
  if (shape.aligned) options += " -DALIGNED_BUFFERS=1";
  if (kernel.moves)
    options += " -DMOVED_BYTES=" + std::to_string(size_of(type)) + (size_of(type) == 16 ? " -DPARTS=2" : "");
  else
    options += element_options(type) + (is_complex(type) ? " -DPARTS=2" : "");
  std::vector<std::string_view> files{"common/index.cl", "common/bfloat16.cl", "common/real.cl", "vector/elements.cl",
                                      kernel.file};
  if (is_reduction(operation)) files.push_back("vector/reduction.cl");
  return {kernel.name, std::move(files), std::move(options)};
}

// The numbers of the matrices that a launch is given.
constexpr std::uint64_t number_of_result = 2;  // z has none beside it

std::uint64_t number_of(std::size_t operand) { return operand == operand_result ? number_of_result : operand; }

KernelArgument matrix(std::size_t operand) { return argument::matrix(number_of(operand)); }
KernelArgument scalar(std::uint64_t number) { return {KernelArgument::Kind::scalar, number}; }

// What the launches of a problem are made of.
class Launches {
 public:
  Launches(VectorOperation operation, const VectorProblem& problem, const VectorShape& shape)
      : operation_(operation), problem_(problem), shape_(shape) {}

  std::vector<Launch> all() const {
    const VectorKernel& kernel = kernel_of(operation_);
    if (kernel.kernel != nullptr) return {launch(kernel.kernel, elementwise_arguments(), shape_.groups)};
    std::vector<KernelArgument> reads{argument::index(problem_.n)};
    for (const std::size_t i : {operand_x, operand_y})
      if (kernel.takes[i]) append_vector(reads, i);
    if (shape_.groups == 1) {
      append_result(reads);
      return {launch("whole", std::move(reads), 1)};
    }
    reads.push_back(argument::workspace(0));
    std::vector<KernelArgument> finish{argument::index(shape_.groups), argument::workspace(0)};
    append_result(finish);
    return {launch("partial", std::move(reads), shape_.groups), launch("finish", std::move(finish), 1)};
  }

 private:
  Launch launch(const char* name, std::vector<KernelArgument> arguments, std::uint64_t groups) const {
    const auto items = static_cast<std::size_t>(shape_.group);
    return {.kernel = name,
            .arguments = std::move(arguments),
            .global = {static_cast<std::size_t>(groups) * items, 1, 1},
            .local = {items, 1, 1}};
  }

  std::vector<KernelArgument> elementwise_arguments() const {
    const VectorKernel& kernel = kernel_of(operation_);
    std::vector<KernelArgument> arguments{argument::index(problem_.n)};
    const auto append_scalar = [&](std::uint64_t which) {
      arguments.insert(arguments.end(), {scalar(2 * which), scalar(2 * which + 1)});
    };
    if (!kernel.moves) append_scalar(0);
    if (kernel.takes[operand_x]) append_vector(arguments, operand_x);
    if (operation_ == VectorOperation::axpby) append_scalar(1);
    append_vector(arguments, operand_y);
    if (operation_ != VectorOperation::hadamard) return arguments;
    append_scalar(1);
    append_vector(arguments, operand_z);
    return arguments;
  }

  void append_vector(std::vector<KernelArgument>& arguments, std::size_t i) const {
    const auto increment = static_cast<std::uint64_t>(increments(problem_)[i]);
    arguments.insert(arguments.end(), {matrix(i), argument::index(increment), argument::offset(strides(problem_)[i])});
  }

  void append_result(std::vector<KernelArgument>& arguments) const {
    arguments.insert(arguments.end(), {matrix(operand_result), argument::offset(problem_.batch.stride_result)});
  }

  VectorOperation operation_;
  const VectorProblem& problem_;
  const VectorShape& shape_;
};

}  // namespace

// Keeps no Engine: the engine keeps plans.
class VectorPlan::State {
 public:
  State(const Engine& engine, VectorOperation operation, const VectorProblem& problem)
      : context_(state_of(engine).context()),
        device_(state_of(engine).device()),
        programs_(state_of(engine).programs()),
        operation_(operation),
        problem_(problem),
        sequence_(state_of(engine), state_of(engine).shared_part<WorkspaceArena>()) {
    programs_->process().check();
    const DeviceProfile& device = engine.profile();
    if (is_empty()) return;
    const VectorShape shape = shape_of(operation, problem, device);
    const std::uint64_t count = problem.batch.count;
    if (!sequence_.compile(state_of(engine), source_of(operation, problem.type, shape),
                           in_grids(Launches(operation, problem, shape).all(), count, device.max_work_groups)))
      throw Error(ErrorCode::invalid_configuration,
                  std::string("the device has too few registers for the work-groups of ") + kernel_of(operation).name);
    if (is_reduction(operation) && shape.groups > 1) {
      const std::size_t bytes = sum_bytes(operation, problem.type);
      sequence_.allocate(device, {{.bytes = count * shape.groups * bytes, .element = bytes}}, bytes);
    }
    sequence_.fix({.scalar_type = part_of(is_integer(problem.type) ? DataType::f32 : accumulator_of(problem.type)),
                   .wide_index = true,
                   .batch_count = count});
  }

  Event enqueue(cl_command_queue queue, const VectorOperands& operands, std::span<const cl_event> waits) {
    programs_->process().check();
    check_queue(context_, device_, queue, waits);
    if (problem_.batch.count != 0) check_operands(context_, operation_, problem_, operands);
    if (is_empty()) return enqueue_marker(queue, waits);
    const std::lock_guard lock(mutex_);
    SequenceCall call;
    call.waits.assign(waits.begin(), waits.end());
    call.values.scalars = {operands.alpha.real(), operands.alpha.imag(), operands.beta.real(), operands.beta.imag()};
    const auto& takes = kernel_of(operation_).takes;
    for (std::size_t i = 0; i < vector_operands; ++i)
      if (takes[i]) call.values.matrices[number_of(i)] = operands.of[i].ref;
    // A null buffer is no argument: the result stands for what is not read.
    if (problem_.n == 0)
      for (const std::size_t i : {operand_x, operand_y}) call.values.matrices[i] = operands.of[operand_result].ref;
    Event event = sequence_.enqueue(queue, call);
    if (!std::exchange(was_enqueued_, true)) programs_->enqueued(sequence_.program());
    return event;
  }

 private:
  bool is_empty() const {
    return problem_.batch.count == 0 || operation_ == VectorOperation::none ||
           (problem_.n == 0 && !is_reduction(operation_));
  }

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  VectorOperation operation_;
  VectorProblem problem_;

  std::mutex mutex_;  // held while the kernels' arguments are set and enqueued
  bool was_enqueued_ = false;
  LaunchSequence sequence_;
};

VectorPlan::VectorPlan(const Engine& engine, const VectorOperation& operation, const VectorProblem& problem)
    : state_(new State(engine, operation, problem), DriverDelete{state_of(engine).process()}) {}

Event VectorPlan::enqueue(cl_command_queue queue, const VectorOperands& operands,
                          std::span<const cl_event> waits) const {
  return state_->enqueue(queue, operands, waits);
}

}  // namespace tilewright::detail
