#include "level2/product_plan.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

// Numbers of the call's scalars.
enum ProductScalar : std::uint64_t { scalar_alpha, scalar_beta };

TriangleProduct checked_product(TriangleProduct product, const DeviceProfile& device) {
  product.problem = checked(std::move(product.problem), device);
  return product;
}

bool gathers(const TriangleProduct& product, const Level2Shape& shape) {
  return !shape.by_tiles && product.row_sums && product.x().increment != 1;
}

std::string options_of(const TriangleProduct& product, const Level2Shape& shape) {
  return define("ROW_SUMS", int{product.row_sums}) + define("COLUMN_SUMS", int{product.column_sums}) +
         define("SCALED", int{!product.in_place()}) + define_if(product.conjugate_rows, "CONJUGATE_ROWS") +
         define_if(product.conjugate_columns, "CONJUGATE_COLUMNS") + define_if(product.is_unit, "UNIT") +
         define_if(product.has_real_diagonal, "REAL_DIAGONAL") + define_if(gathers(product, shape), "GATHER");
}

void append_result_scalars(std::vector<KernelArgument>& arguments, const TriangleProduct& product) {
  if (product.in_place()) return;
  append_scalar(arguments, scalar_alpha);
  append_scalar(arguments, scalar_beta);
}

void append(std::vector<KernelArgument>& arguments, std::initializer_list<std::uint64_t> workspaces) {
  for (const std::uint64_t which : workspaces) arguments.push_back(argument::workspace(which));
}

// The launches and workspaces of one problem. Workspaces have a part for each problem of a batch.
Execution by_rows(const TriangleProduct& product, const Level2Shape& shape, const DeviceProfile& device) {
  const Level2Problem& p = product.problem;
  const std::uint64_t vectors = product.column_sums ? shape.groups : 1;
  Execution execution;
  execution.workspaces.push_back({.bytes = bytes_of(p.batch.count, vectors * p.n, size_of(p.type))});
  std::vector<KernelArgument> multiply{argument::index(p.n)};
  append_result_scalars(multiply, product);
  append_triangle(multiply, matrix_a, p);
  append_vector(multiply, matrix_x, product.x());
  if (gathers(product, shape)) {
    execution.workspaces.push_back({.bytes = bytes_of(p.batch.count, shape.groups * p.n, size_of(p.type))});
    append(multiply, {1});
  }
  append(multiply, {0});
  append_vector(multiply, matrix_y, product.y());
  execution.launches.push_back(level2_launch("multiply_rows", std::move(multiply), 1, shape.groups));
  if (shape.groups == 1) return execution;
  std::vector<KernelArgument> finish{argument::index(p.n), argument::index(shape.groups)};
  append_result_scalars(finish, product);
  append(finish, {0});
  append_vector(finish, matrix_y, product.y());
  constexpr std::int64_t bytes_per_group = 1 << 16;
  const std::uint64_t groups = std::clamp<std::uint64_t>(
      ceil_div(bytes_of(vectors, p.n, size_of(p.type)), bytes_per_group), 1, device.compute_units);
  execution.launches.push_back(level2_launch("finish_rows", std::move(finish), 1, groups));
  return execution;
}

constexpr std::int64_t elements_per_finish = 8;  // FINISHED of cl/level2/product_tiles.cl

Execution by_tiles(const TriangleProduct& product, const Level2Shape& shape) {
  const Level2Problem& p = product.problem;
  const std::uint64_t blocks = ceil_div(p.n, level2_block);
  Execution execution;
  for (const std::uint64_t elements :
       {product.row_sums ? (blocks + shape.groups) * level2_block : 0, product.column_sums ? blocks * p.n : 0})
    execution.workspaces.push_back({.bytes = bytes_of(p.batch.count, elements, size_of(p.type))});
  std::vector<KernelArgument> multiply{argument::index(p.n), argument::index(shape.groups)};
  append_triangle(multiply, matrix_a, p);
  append_vector(multiply, matrix_x, product.x());
  append(multiply, {0, 1});
  execution.launches.push_back(level2_launch("multiply_tiles", std::move(multiply), shape.group, shape.groups));
  std::vector<KernelArgument> finish{argument::index(p.n), argument::index(shape.groups)};
  append_result_scalars(finish, product);
  append(finish, {0, 1});
  append_vector(finish, matrix_y, product.y());
  execution.launches.push_back(
      level2_launch("finish_tiles", std::move(finish), shape.group, ceil_div(p.n, elements_per_finish)));
  return execution;
}

std::vector<Launch> scaling(const TriangleProduct& product, const Level2Shape& shape, const DeviceProfile& device) {
  std::vector<KernelArgument> arguments{argument::index(product.problem.n)};
  append_scalar(arguments, scalar_beta);
  append_vector(arguments, matrix_y, product.y());
  constexpr std::int64_t items_per_group_of_cpu = 1 << 14;
  const std::uint64_t groups =
      std::clamp<std::uint64_t>(ceil_div(product.problem.n, shape.by_tiles ? shape.group : items_per_group_of_cpu), 1,
                                std::uint64_t{device.compute_units} * 8);
  return {level2_launch("scale_vector", std::move(arguments), shape.group, groups)};
}

}  // namespace

ProductPlan::ProductPlan(const Engine& engine, const TriangleProduct& product, const Choice& choice)
    : PlanBase(engine), product_(checked_product(product, engine.profile())), multiply_(engine), scale_(engine) {
  const Level2Problem& p = product_.problem;
  const DeviceProfile& device = engine.profile();
  const Level2Shape shape = level2_shape(p, false, device, choice);
  explanation_ = explain_level2(p, false, shape);
  if (p.empty()) {
    explanation_.reason = "there is nothing to compute";
    return;
  }
  const KernelSource source = level2_source(p, shape, "product", options_of(product_, shape), device);
  Execution execution = shape.by_tiles ? by_tiles(product_, shape) : by_rows(product_, shape, device);
  build_level2(engine, multiply_, p, source, std::move(execution.launches));
  multiply_.allocate(device, std::move(execution.workspaces), size_of(p.type));
  workspace_bytes_ = multiply_.workspace_bytes();
  if (!product_.in_place()) build_level2(engine, scale_, p, source, scaling(product_, shape, device));
}

Event ProductPlan::enqueue(cl_command_queue queue, const ProductCall& call, std::span<const cl_event> waits) {
  check_call(queue, waits);
  const std::complex<double> alpha = checked_scalar(product_.problem.type, "alpha", call.alpha);
  const std::complex<double> beta = checked_scalar(product_.problem.type, "beta", call.beta);
  if (product_.problem.empty()) return enqueue_marker(queue, waits);
  const bool scales = alpha == 0.0;
  check(call, !scales, beta != 0.0);
  if (scales && beta == 1.0) return enqueue_marker(queue, waits);
  SequenceCall sequence = sequence_call(call, waits);
  sequence.values.scalars = {alpha.real(), alpha.imag(), beta.real(), beta.imag()};
  sequence.values.matrices = {call.a, call.x, call.y};
  std::unique_lock lock(mutex_);
  LaunchSequence& launches = scales ? scale_ : multiply_;
  Event event = launches.enqueue(queue, sequence);
  note_enqueued(lock, scales ? scale_was_enqueued_ : was_enqueued_, launches.program());
  return event;
}

void ProductPlan::check(const ProductCall& call, bool reads, bool reads_y) const {
  const char* const why = product_.in_place() ? "" : ", as alpha is not 0";
  const std::array<Level2Operand, 3> operands{
      Level2Operand{.ref = call.a, .read = reads, .why_read = why},
      Level2Operand{.vector = &product_.x(), .ref = call.x, .read = reads, .why_read = why},
      Level2Operand{.vector = &product_.y(), .ref = call.y, .read = reads_y, .why_read = ", as beta is not 0"}};
  check_level2_operands(context_, product_.problem, std::span(operands).first(product_.in_place() ? 2 : 3),
                        call.workspace, workspace_bytes_);
}

}  // namespace tilewright::detail
