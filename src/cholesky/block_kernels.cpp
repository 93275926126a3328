#include "cholesky/block_kernels.hpp"

#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

constexpr const char* invert_file = "cholesky/invert_block.cl";

KernelSource source_of(const PotrfSystem& system, const PotrfShape& shape, DiagonalTask task,
                       const DeviceProfile& device) {
  const bool factors = task == DiagonalTask::factor;
  return {factors ? "potrf" : "potri",
          {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", "common/reciprocal.cl",
           "common/small_tiles.cl", factors ? shape.file : invert_file, "cholesky/subtract_tiles.cl"},
          language_option() + define("INDEX_BITS", 64) + element_options(system.problem.type) + shape.defines() +
              define_if(device.aligned_buffers, "ALIGNED_BUFFERS")};
}

std::uint64_t blocks_of(const PotrfSystem& system, const PotrfShape& shape) {
  return static_cast<std::uint64_t>(ceil_div(system.problem.n, shape.block));
}

// One group, or one for each block of rows.
Launch panel_launch(const PotrfSystem& system, const PotrfShape& shape) {
  using namespace argument;
  constexpr KernelArgument end = size, a = matrix(0), info = matrix(1), exchange = matrix(2);
  const auto items = static_cast<std::size_t>(shape.group);
  const std::uint64_t blocks = blocks_of(system, shape);
  return {
      .kernel = "factor_panel",
      .arguments = {end, index(system.problem.n), index(blocks), a, offset(system.row_step), offset(system.column_step),
                    offset(system.problem.batch.stride_a), info, offset(system.problem.batch.stride_info), exchange},
      .global = {(shape.solves_below ? static_cast<std::size_t>(blocks) : 1) * items, 1},
      .local = {items, 1}};
}

Launch factor_launch(const PotrfSystem& system, const PotrfShape& shape) {
  using namespace argument;
  constexpr KernelArgument end = size, a = matrix(0), info = matrix(1);
  const auto items = static_cast<std::size_t>(shape.group);
  return {.kernel = "factor_block",
          .arguments = {end, a, offset(system.row_step), offset(system.column_step),
                        offset(system.problem.batch.stride_a), info, offset(system.problem.batch.stride_info)},
          .global = {items, 1},
          .local = {items, 1}};
}

// Several matrices per work-group.
Launch factor_small_launch(const PotrfSystem& system, const PotrfShape& shape) {
  using namespace argument;
  constexpr KernelArgument order = size, a = matrix(0), info = matrix(1);
  const Batch& batch = system.problem.batch;
  const auto items = static_cast<std::size_t>(shape.group);
  return {.kernel = "factor_block",
          .arguments = {order, index(batch.count), a, offset(system.row_step), offset(system.column_step),
                        offset(batch.stride_a), info, offset(batch.stride_info)},
          .global = {ceil_div(batch.count, shape.matrices) * items, 1},
          .local = {items, 1}};
}

Launch invert_launch(const PotrfSystem& system, const PotrfShape& shape) {
  using namespace argument;
  constexpr KernelArgument end = size, a = matrix(0);
  const auto items = static_cast<std::size_t>(shape.group);
  return {
      .kernel = "invert_block",
      .arguments = {end, a, offset(system.row_step), offset(system.column_step), offset(system.problem.batch.stride_a)},
      .global = {items, 1},
      .local = {items, 1}};
}

Launch subtract_launch(const PotrfSystem& system, const PotrfShape& shape, std::uint64_t tiles, std::uint64_t stride) {
  using namespace argument;
  constexpr KernelArgument rows = size, a = matrix(0), products = matrix(1);
  const auto items = static_cast<std::size_t>(shape.tile_group);
  return {.kernel = "subtract_tiles",
          .arguments = {rows, offset(system.problem.lda), index(system.is_upper() ? 1 : 0), a,
                        offset(system.problem.batch.stride_a), products, offset(stride)},
          .global = {rounded_up(ceil_div(static_cast<std::uint64_t>(shape.block * shape.block), shape.tile_run),
                                shape.tile_group),
                     static_cast<std::size_t>(tiles)},
          .local = {items, 1}};
}

}  // namespace

PotrfKernels::PotrfKernels(const Engine& engine, const PotrfSystem& system, DiagonalTask task)
    : system_(system),
      task_(task),
      shape_(potrf_shape(task, system.problem.type, system.problem.n, system.problem.batch.count, engine.profile())),
      diagonal_(engine) {
  if (task == DiagonalTask::invert)
    compile(engine, diagonal_, invert_launch(system_, shape_));
  else if (shape_.matrices > 1)
    compile(engine, diagonal_, factor_small_launch(system_, shape_), 1);
  else if (shape_.edge > 0)
    compile(engine, diagonal_, panel_launch(system_, shape_));
  else
    compile(engine, diagonal_, factor_launch(system_, shape_));
}

const char* PotrfKernels::file() const { return task_ == DiagonalTask::factor ? shape_.file : invert_file; }

const char* PotrfKernels::verb() const { return task_ == DiagonalTask::factor ? "factored" : "inverted"; }

void PotrfKernels::prepare_subtract(const Engine& engine, std::uint64_t tiles, std::uint64_t stride) {
  const auto [place, is_new] = subtract_.try_emplace(tiles, engine);
  if (is_new) compile(engine, place->second, subtract_launch(system_, shape_, tiles, stride));
}

void PotrfKernels::compile(const Engine& engine, LaunchSequence& sequence, Launch launch) const {
  compile(engine, sequence, std::move(launch), system_.problem.batch.count);
}

// `count`: matrices in the third dimension of the grid.
void PotrfKernels::compile(const Engine& engine, LaunchSequence& sequence, Launch launch, std::uint64_t count) const {
  sequence.build(engine, source_of(system_, shape_, task_, engine.profile()),
                 in_grids({std::move(launch)}, count, engine.profile().max_work_groups),
                 {.scalar_type = system_.problem.type, .wide_index = true, .batch_count = count});
}

// `published` of factor_panel.cl: a ticket for each block, and the words of one block.
std::uint64_t PotrfKernels::exchange_bytes() const {
  if (!shape_.solves_below) return 0;
  const auto block = static_cast<std::uint64_t>(shape_.block);
  const std::uint64_t words = block * block * size_of(system_.problem.type) / sizeof(cl_uint);
  return (blocks_of(system_, shape_) + words) * sizeof(cl_ulong);
}

void PotrfKernels::begin(CommandChain& chain, const WorkspaceRef& exchange) const {
  if (shape_.solves_below)
    chain.add([&](std::span<const cl_event> waits, bool event) {
      return enqueue_zeros(chain.queue(), exchange.buffer, exchange.offset, exchange_bytes(), waits, event);
    });
}

// A kernel that exchanges nothing gets another buffer instead.
void PotrfKernels::run_diagonal(CommandChain& chain, std::uint64_t end, const MatrixRef& a, const MatrixRef& info,
                                const WorkspaceRef& exchange, bool event) {
  const MatrixRef words = shape_.solves_below ? MatrixRef{exchange.buffer, exchange.offset / sizeof(cl_ulong)} : info;
  diagonal_.run(chain, {.size = end, .matrices = {a, info, words}}, event);
}

void PotrfKernels::subtract(CommandChain& chain, std::uint64_t tiles, std::uint64_t rows, const MatrixRef& a,
                            const MatrixRef& products, bool event) {
  subtract_.at(tiles).run(chain, {.size = rows, .matrices = {a, products}}, event);
}

}  // namespace tilewright::detail
