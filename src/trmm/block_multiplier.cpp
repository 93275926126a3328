#include "trmm/block_multiplier.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

std::size_t round_group(const DeviceProfile& device) {
  return std::min({std::size_t{64}, device.max_work_group_size, device.max_work_item_sizes[0]});
}

}  // namespace

TrmmBlockMultiplier::TrmmBlockMultiplier(const Engine& engine, const TrmmSystem& system, const TrmmShape& shape,
                                         const TrmmCopy& copy)
    : system_(system), shape_(shape), copy_(copy), multiply_(engine), round_(engine), clear_(engine) {
  const std::uint64_t rows = std::min(shape_.part, system_.order);
  compile(engine, multiply_, multiply_launch(rows));
  if (copy_.holds_sums) compile(engine, round_, round_launch(engine.profile(), rows));
  compile(engine, clear_,
          copy_.holds_sums ? round_launch(engine.profile(), system_.order) : multiply_launch(system_.order));
}

// The grid covers `rows` rows. A shorter last part leaves some of it idle.
Launch TrmmBlockMultiplier::multiply_launch(std::uint64_t rows) const {
  using namespace argument;
  constexpr KernelArgument first = size, alpha_re = scalar(0), alpha_im = scalar(1), a = matrix(0), b = matrix(1),
                           copy = matrix(2);
  const TrmmProblem& p = system_.problem;
  const auto items = static_cast<std::size_t>(shape_.group);
  return {.kernel = "multiply_blocks",
          .arguments = {first,
                        index(system_.order),
                        index(system_.lines),
                        index(system_.is_upper ? 1 : 0),
                        index(p.diag == Diag::unit ? 1 : 0),
                        index(p.trans == Transpose::conjugate_transpose ? 1 : 0),
                        alpha_re,
                        alpha_im,
                        a,
                        offset(system_.t_row_step),
                        offset(system_.t_column_step),
                        offset(p.batch.stride_a),
                        b,
                        offset(system_.step),
                        offset(system_.line_step),
                        offset(p.batch.stride_b),
                        index(copy_.rows > 0 && !copy_.holds_sums ? 1 : 0),
                        copy,
                        offset(copy_.step),
                        offset(copy_.line_step),
                        offset(copy_.stride)},
          .global = {ceil_div(system_.lines, shape_.lines) * items, ceil_div(rows, shape_.block)},
          .local = {items, 1}};
}

Launch TrmmBlockMultiplier::round_launch(const DeviceProfile& device, std::uint64_t rows) const {
  using namespace argument;
  constexpr KernelArgument first = size, factor = scalar(0), b = matrix(0), sums = matrix(1);
  const std::size_t items = round_group(device);
  const std::uint64_t across = system_.step == 1 ? rows : system_.lines;
  const std::uint64_t down = system_.step == 1 ? system_.lines : rows;
  return {.kernel = "round_sums",
          .arguments = {first, index(system_.order), index(rows), index(system_.lines), factor, b, offset(system_.step),
                        offset(system_.line_step), offset(system_.problem.batch.stride_b), sums, offset(copy_.step),
                        offset(copy_.line_step), offset(copy_.stride)},
          .global = {ceil_div(across, static_cast<std::int64_t>(items)) * items, static_cast<std::size_t>(down)},
          .local = {items, 1}};
}

void TrmmBlockMultiplier::compile(const Engine& engine, LaunchSequence& sequence, Launch launch) const {
  const TrmmProblem& p = system_.problem;
  const DeviceProfile& device = engine.profile();
  std::vector<std::string_view> files{"common/index.cl", "common/bfloat16.cl",      "common/types.cl",
                                      "trmm/sums.cl",    "trmm/multiply_blocks.cl", shape_.file};
  if (copy_.holds_sums) files.emplace_back("trmm/round_sums.cl");
  const KernelSource source{
      "trmm", std::move(files),
      language_option() + define("INDEX_BITS", 64) + element_options(part_of(p.type)) +
          define("PARTS", is_complex(p.type) ? 2 : 1) + shape_.defines() +
          (copy_.holds_sums ? define("KEEPS_SUMS", 1) + define("ROUND_WG", round_group(device)) : "")};
  sequence.build(engine, source, in_grids({std::move(launch)}, p.batch.count, device.max_work_groups),
                 {.scalar_type = part_of(accumulator_of(p.type)), .wide_index = true, .batch_count = p.batch.count});
}

void TrmmBlockMultiplier::multiply(CommandChain& chain, std::uint64_t first, std::complex<double> alpha,
                                   const MatrixRef& a, const MatrixRef& b, const MatrixRef& copy, bool event) {
  multiply_.run(chain,
                {.size = first, .scalars = {alpha.real(), alpha.imag()}, .matrices = {a, b, copy_.rows > 0 ? copy : b}},
                event);
}

void TrmmBlockMultiplier::round(CommandChain& chain, std::uint64_t first, const MatrixRef& b, const MatrixRef& sums,
                                bool event) {
  round_.run(chain, {.size = first, .scalars = {1}, .matrices = {b, sums}}, event);
}

void TrmmBlockMultiplier::clear(CommandChain& chain, const MatrixRef& b, bool event) {
  clear_.run(chain, {.scalars = {0, 0}, .matrices = {b, b, b}}, event);
}

}  // namespace tilewright::detail
