#include "trmm/block_multiplier.hpp"

#include <algorithm>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

TrmmBlockMultiplier::TrmmBlockMultiplier(const Engine& engine, const TrmmSystem& system, const TrmmShape& shape,
                                         const TrmmCopy& copy)
    : system_(system), shape_(shape), copy_(copy), multiply_(engine), clear_(engine) {
  compile(engine, multiply_, std::min(shape_.part, system_.order));
  compile(engine, clear_, system_.order);
}

// The grid covers `rows` rows. A shorter last part leaves some of it idle.
void TrmmBlockMultiplier::compile(const Engine& engine, LaunchSequence& sequence, std::uint64_t rows) {
  using namespace argument;
  constexpr KernelArgument first = size, alpha_re = scalar(0), alpha_im = scalar(1), a = matrix(0), b = matrix(1),
                           copy = matrix(2);
  const TrmmProblem& p = system_.problem;
  const auto items = static_cast<std::size_t>(shape_.group);
  Launch launch{.kernel = "multiply_blocks",
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
                              index(copy_.rows > 0 ? 1 : 0),
                              copy,
                              offset(copy_.step),
                              offset(copy_.line_step),
                              offset(copy_.stride)},
                .global = {ceil_div(system_.lines, shape_.lines) * items, ceil_div(rows, shape_.block)},
                .local = {items, 1}};
  const KernelSource source{"trmm",
                            {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "trmm/sums.cl", shape_.file},
                            language_option() + define("INDEX_BITS", 64) + element_options(part_of(p.type)) +
                                define("PARTS", is_complex(p.type) ? 2 : 1) + shape_.defines()};
  sequence.build(engine, source, in_grids({std::move(launch)}, p.batch.count, engine.profile().max_work_groups),
                 {.scalar_type = part_of(p.type), .wide_index = true, .batch_count = p.batch.count});
}

void TrmmBlockMultiplier::multiply(CommandChain& chain, std::uint64_t first, std::complex<double> alpha,
                                   const MatrixRef& a, const MatrixRef& b, const MatrixRef& copy, bool event) {
  const MatrixRef rows_of_b{b.buffer, b.offset};
  multiply_.run(chain,
                {.size = first,
                 .scalars = {alpha.real(), alpha.imag()},
                 .matrices = {a, rows_of_b, copy_.rows > 0 ? copy : rows_of_b}},
                event);
}

void TrmmBlockMultiplier::clear(CommandChain& chain, const MatrixRef& b, bool event) {
  clear_.run(chain, {.scalars = {0, 0}, .matrices = {b, b, b}}, event);
}

}  // namespace tilewright::detail
