#include "rank_k/merge_kernel.hpp"

#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "rank_k/steps.hpp"

namespace tilewright::detail {
namespace {

KernelSource source_of(const RankKSystem& system, const RankKShape& shape, const DeviceProfile& device) {
  return {system.name,
          {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", "rank_k/merge_triangle.cl"},
          language_option() + define("INDEX_BITS", 64) + element_options(system.type) +
              define_if(system.is_hermitian, "HERMITIAN") + define_if(system.is_mirrored(), "MIRRORED") +
              define_if(device.aligned_buffers, "ALIGNED_BUFFERS") + shape.defines()};
}

// `block`: rows of the blocks whose products are merged; n without products.
Launch merge_launch(const RankKSystem& system, const RankKShape& shape, std::uint64_t block, bool has_products) {
  using namespace argument;
  constexpr KernelArgument beta = scalar(0), c = matrix(0), products = matrix(1);
  const auto lanes = static_cast<std::size_t>(shape.lanes), group_rows = static_cast<std::size_t>(shape.group_rows);
  return {.kernel = "merge_triangle",
          .arguments = {index(system.n), index(block), index(system.is_upper_in_memory() ? 1 : 0),
                        index(has_products ? 1 : 0), beta, c, offset(system.stored[2].ld), offset(system.strides[2]),
                        products, offset(tile_stride(system, block))},
          .global = {lanes, ceil_div(system.n, shape.group_rows * shape.item_rows) * group_rows},
          .local = {lanes, group_rows}};
}

void build(LaunchSequence& sequence, const Engine& engine, const RankKSystem& system, const RankKShape& shape,
           Launch launch) {
  sequence.build(engine, source_of(system, shape, engine.profile()),
                 in_grids({std::move(launch)}, system.count, engine.profile().max_work_groups),
                 {.scalar_type = accumulator_of(system.type), .wide_index = true, .batch_count = system.count});
}

}  // namespace

RankKMergeKernel::RankKMergeKernel(const Engine& engine, const RankKSystem& system, const RankKShape& shape)
    : merge_(engine), scale_(engine) {
  build(merge_, engine, system, shape, merge_launch(system, shape, shape.block, true));
  build(scale_, engine, system, shape, merge_launch(system, shape, system.n, false));
}

void RankKMergeKernel::merge(CommandChain& chain, std::complex<double> beta, const MatrixRef& c,
                             const MatrixRef& products, bool event) const {
  merge_.run(chain, {.scalars = {beta}, .matrices = {c, products}}, event);
}

// A null buffer is not a valid kernel argument, so C is passed for the products.
void RankKMergeKernel::scale(CommandChain& chain, std::complex<double> beta, const MatrixRef& c, bool event) const {
  scale_.run(chain, {.scalars = {beta}, .matrices = {c, c}}, event);
}

}  // namespace tilewright::detail
