#include "rank_k/steps.hpp"

#include <algorithm>
#include <utility>

#include "kernels/index_in.hpp"
#include "kernels/operands/parts_alignment.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t left = 0, right = 1, result = 2;
using Places = std::array<std::uint64_t, 3>;  // of the left and the right factor and of the result

// Appends the block that starts at a row and a column below the diagonal, or its mirror image above.
void append(std::vector<RankKBlock>& blocks, const RankKBlock& lower, Uplo uplo) {
  blocks.push_back(uplo == Uplo::lower ? lower : RankKBlock{lower.column, lower.row, lower.columns, lower.rows});
}

// Returns lists of blocks of equal size, in the order of their first blocks.
std::vector<std::vector<RankKBlock>> by_size(const std::vector<RankKBlock>& blocks) {
  std::vector<std::vector<RankKBlock>> groups;
  for (const RankKBlock& block : blocks) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const std::vector<RankKBlock>& group) {
      return group[0].rows == block.rows && group[0].columns == block.columns;
    });
    found == groups.end() ? groups.push_back({block}) : found->push_back(block);
  }
  return groups;
}

bool are_equally_spaced(const std::vector<RankKBlock>& blocks) {
  for (std::size_t x = 2; x < blocks.size(); ++x)
    if (blocks[x].row - blocks[x - 1].row != blocks[1].row - blocks[0].row ||
        blocks[x].column - blocks[x - 1].column != blocks[1].column - blocks[0].column)
      return false;
  return true;
}

class Builder {
 public:
  Builder(const RankKSystem& system, std::uint64_t block) : system_(system), block_(block) {}

  // Returns the calls for one term and blocks of any sizes. `tiles`: the results go to the workspace.
  std::vector<RankKStep> calls(const RankKTerm& term, const std::vector<RankKBlock>& blocks, bool tiles) {
    std::vector<RankKStep> result_steps;
    for (const std::vector<RankKBlock>& group : by_size(blocks)) result_steps.push_back(call(term, group, tiles));
    return result_steps;
  }

  RankKSteps steps{};

 private:
  // Elements from the start of the operands to those of a block.
  Places places(const RankKTerm& term, const RankKBlock& block, bool tiles) const {
    const std::uint64_t left_step =
        term.trans_left == Transpose::no ? system_.row_step(term.left) : system_.column_step(term.left);
    const std::uint64_t right_step =
        term.trans_right == Transpose::no ? system_.column_step(term.right) : system_.row_step(term.right);
    return {
        block.row * left_step, block.column * right_step,
        tiles ? block.row * block_ : block.row * system_.row_step(result) + block.column * system_.column_step(result)};
  }

  Places strides(const RankKTerm& term, bool tiles) const {
    return {system_.strides[term.left], system_.strides[term.right],
            tiles ? tile_stride(system_, block_) : system_.strides[result]};
  }

  RankKStep call(const RankKTerm& term, const std::vector<RankKBlock>& blocks, bool tiles) {
    RankKProduct product{.problem = {.type = system_.type,
                                     .layout = system_.layout,
                                     .trans_a = term.trans_left,
                                     .trans_b = term.trans_right,
                                     .m = blocks[0].rows,
                                     .n = blocks[0].columns,
                                     .k = system_.k,
                                     .lda = system_.stored[term.left].ld,
                                     .ldb = system_.stored[term.right].ld,
                                     .ldc = tiles ? block_ : system_.stored[result].ld}};
    const DataType sums = accumulator_of(system_.type);
    if (tiles && sums != system_.type) product.problem.type_c = sums;  // rounded when they are merged
    const Places first = places(term, blocks[0], tiles), stride = strides(term, tiles);
    RankKStep step{.places = first};
    Batch& batch = product.problem.batch;
    std::uint64_t bits = first[left] | first[right] | first[result];
    if (blocks.size() == 1) {
      batch = {system_.count, stride[left], stride[right], stride[result]};
    } else if (system_.count == 1 && are_equally_spaced(blocks)) {
      const Places second = places(term, blocks[1], tiles);
      batch = {blocks.size(), second[left] - first[left], second[right] - first[right], second[result] - first[result]};
    } else {
      batch = {.count = system_.count * blocks.size(), .by_offsets = true};
      for (std::uint64_t x = 0; x < system_.count; ++x)
        for (const RankKBlock& block : blocks) {
          const Places place = places(term, block, tiles);
          for (std::size_t of = 0; of < 3; ++of) bits |= product.offsets[of].emplace_back(place[of] + x * stride[of]);
        }
      step.places = {};
    }
    product.problem.offset_alignment = alignment_of_parts(system_.offset_alignment, {bits});
    step.product = index_in(steps.products, product);
    return step;
  }

  const RankKSystem& system_;
  std::uint64_t block_;
};

}  // namespace

std::vector<RankKBlock> diagonal_blocks(std::uint64_t n, std::uint64_t block) {
  std::vector<RankKBlock> blocks;
  for (std::uint64_t first = 0; first < n; first += block) {
    const std::uint64_t size = std::min(block, n - first);
    blocks.push_back({first, first, size, size});
  }
  return blocks;
}

std::vector<RankKBlock> triangle_blocks(std::uint64_t n, std::uint64_t block, std::uint64_t grid, Uplo uplo) {
  std::vector<RankKBlock> blocks;
  for (std::uint64_t column = 0; column < n; column += block) {
    const std::uint64_t end = std::min(n, column / (grid * block) * (grid * block) + grid * block);
    for (std::uint64_t row = column + block; row < end; row += block)
      append(blocks, {row, column, std::min(block, n - row), block}, uplo);
  }
  for (std::uint64_t size = grid * block; size < n; size *= 2)
    for (std::uint64_t column = 0; column + size < n; column += 2 * size)
      append(blocks, {column + size, column, std::min(size, n - column - size), size}, uplo);
  return blocks;
}

// Counts sizes of blocks instead of listing blocks, because a large matrix has millions of them.
std::uint64_t launch_count(const RankKSystem& system, std::uint64_t block, std::uint64_t grid) {
  const std::uint64_t n = system.n;
  if (n <= block) return 2;
  const std::uint64_t whole = n / block, has_rest = n % block > 0 ? 1 : 0;
  std::uint64_t squares = (whole > 1 ? 1U : 0U) + (has_rest > 0 && whole % grid > 0 ? 1U : 0U);
  for (std::uint64_t size = grid * block; size < n; size *= 2)
    squares += (n >= 2 * size ? 1U : 0U) + (n % (2 * size) > size ? 1U : 0U);
  return 2 + has_rest + system.terms.size() * squares;
}

RankKSteps rank_k_steps(const RankKSystem& system, std::uint64_t block, std::uint64_t grid) {
  Builder builder(system, block);
  builder.steps.tiles = builder.calls(system.terms[0], diagonal_blocks(system.n, block), true);
  const std::vector<RankKBlock> squares = triangle_blocks(system.n, block, grid, system.uplo);
  for (const RankKTerm& term : system.terms) builder.steps.squares.push_back(builder.calls(term, squares, false));
  return std::move(builder.steps);
}

RankKSteps whole_steps(const RankKSystem& system) {
  Builder builder(system, system.n);
  const std::vector<RankKBlock> whole = diagonal_blocks(system.n, system.n);
  for (const RankKTerm& term : system.terms) builder.steps.squares.push_back(builder.calls(term, whole, false));
  return std::move(builder.steps);
}

}  // namespace tilewright::detail
