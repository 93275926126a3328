#include "cholesky/steps.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "cholesky/step_builder.hpp"

namespace tilewright::detail {
namespace {

std::uint64_t blocks_of(const PotrfSystem& system, std::uint64_t block) {
  return (system.problem.n + block - 1) / block;
}

// Returns the largest number of diagonal blocks that one update of a factorisation has.
std::uint64_t max_tiles(std::uint64_t blocks) {
  if (blocks <= 1) return 0;
  const std::uint64_t first = std::bit_floor(blocks - 1);
  return std::max({blocks - first, max_tiles(first), max_tiles(blocks - first)});
}

class Factorisation : public StepBuilder {
 public:
  Factorisation(const PotrfSystem& system, std::uint64_t block, const PotrfForms& forms)
      : StepBuilder(system, block, max_tiles(blocks_of(system, block)), Operands::rows, forms),
        adjoint_(adjoint(system.problem.type)),
        solves_below_(forms.solves_below) {}

  // Factors the columns of a range of blocks, in all rows from the range's first to the last of the matrix: the first
  // half of the columns, then the second half after the products of the first were subtracted.
  void factor(const BlockRange& range) {
    const BlockRange below{range.end, blocks()};
    if (range.count() == 1) {
      append_diagonal(range.first);
      if (below.count() > 0 && !solves_below_) solve(Side::right, range, adjoint_, {below, range});
      return;
    }
    const BlockRange before{range.first, range.middle()}, after{before.end, range.end};
    factor(before);
    update(after, below.end, before);
    factor(after);
  }

 private:
  Transpose adjoint_;
  bool solves_below_;
};

class Inversion : public StepBuilder {
 public:
  Inversion(const PotrfSystem& system, std::uint64_t block, const PotrfForms& forms)
      : StepBuilder(system, block, most_before(blocks_of(system, block)), Operands::columns, forms),
        adjoint_(adjoint(system.problem.type)) {}

  void invert(const BlockRange& range) {
    if (range.count() == 1) return append_diagonal(range.first);
    const BlockRange before{range.first, range.middle()}, after{before.end, range.end};
    const BlockPart below{after, before};
    solve(Side::right, before, Transpose::no, below);
    solve(Side::left, after, Transpose::no, below);  // V
    invert(before);
    update(before, before.end, after);
    solve(Side::left, after, adjoint_, below, -1);
    invert(after);
  }

 private:
  static std::uint64_t most_before(std::uint64_t blocks) { return blocks <= 1 ? 0 : std::bit_floor(blocks - 1); }

  Transpose adjoint_;
};

}  // namespace

PotrfSteps potrf_steps(const PotrfSystem& system, std::uint64_t block, const PotrfForms& forms) {
  Factorisation builder(system, block, forms);
  builder.factor({0, blocks_of(system, block)});
  return std::move(builder.result);
}

PotrfSteps potri_steps(const PotrfSystem& system, std::uint64_t block, const PotrfForms& forms) {
  Inversion builder(system, block, forms);
  builder.invert({0, blocks_of(system, block)});
  return std::move(builder.result);
}

}  // namespace tilewright::detail
