#include "trmm/steps.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/index_in.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/operands/triangle_squares.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

TrmmCopy copy_of(const TrmmSystem& system, std::uint64_t part) {
  const std::uint64_t rows = std::min(part, system.order);
  const std::uint64_t ld = aligned_ld(system.is_left() ? system.lines : rows);
  return {.holds_sums = system.keeps_sums(),
          .rows = rows,
          .step = system.is_left() ? ld : 1,
          .line_step = system.is_left() ? 1 : ld,
          .stride = ld * (system.is_left() ? rows : system.lines)};
}

class Builder {
 public:
  Builder(const TrmmSystem& system, std::uint64_t block, std::uint64_t part)
      : system_(system), block_(block), part_(part) {
    if (system_.keeps_sums() || (part_ > block_ && system_.order > block_)) result.copy = copy_of(system_, part_);
  }

  // Multiplies all rows. A part overwrites rows of B that no later part reads.
  void multiply_in_sums() {
    const std::uint64_t parts = ceil_div(system_.order, static_cast<std::int64_t>(part_));
    for (std::uint64_t x = 0; x < parts; ++x) {
      const std::uint64_t begin = (system_.is_upper ? x : parts - 1 - x) * part_;
      const std::uint64_t end = std::min(begin + part_, system_.order);
      multiply_part(begin, end);
      if (!system_.is_upper && begin > 0) add({0, begin, end - begin, 1}, true, begin);
      if (system_.is_upper && end < system_.order) add({begin, end - begin, system_.order - end, 1}, true, begin);
      result.steps.push_back({.kind = TrmmStep::Kind::round, .first = begin});
    }
  }

  // Multiplies the rows of parts [first, end). Rows that others depend on are overwritten last.
  void multiply(std::uint64_t first, std::uint64_t end) {
    if (end - first == 1) return multiply_part(first * part_, std::min((first + 1) * part_, system_.order));
    const std::uint64_t middle = first + std::bit_floor(end - first - 1);
    const auto half = [&](bool second) { second ? multiply(middle, end) : multiply(first, middle); };
    half(!system_.is_upper);
    const std::uint64_t begin = first * part_, columns = (middle - first) * part_;
    add({begin, columns, std::min(end * part_, system_.order) - begin - columns, 1}, false, 0);
    half(system_.is_upper);
  }

  // Multiplies all rows, outside the squares on the diagonal by one product.
  void multiply_with_range(std::uint64_t square) {
    result.steps.push_back({.kind = TrmmStep::Kind::blocks});
    for (const TriangleSquares& squares : triangle_squares(0, system_.order, block_))
      if (squares.half < square) add(squares, true, 0);
    const std::uint64_t last = (system_.order - 1) / square * square;  // first row of the last square
    add_equal({.row = square, .rows = system_.order - square, .columns = last}, true, 0,
              KRange{.of_rows = system_.is_left(), .is_upper = system_.is_upper, .block = square});
    if (system_.keeps_sums()) result.steps.push_back({.kind = TrmmStep::Kind::round});
  }

  void multiply_whole(std::uint64_t lines, bool copies) {
    const TrmmProblem& p = system_.problem;
    result.copy = copies ? copy_of(system_, system_.order) : TrmmCopy();
    const Repeats systems{p.batch.count,
                          {p.batch.stride_a, copies ? result.copy.stride : p.batch.stride_b, p.batch.stride_b}};
    result.products.push_back({product(system_.order, system_.order, copies, systems,
                                       copies ? alignment_of_parts(p.offset_alignment, {}) : p.offset_alignment),
                               KRange{.of_rows = system_.is_left(),
                                      .is_upper = system_.is_upper,
                                      .block = lines,
                                      .is_triangle = true,
                                      .is_unit = p.diag == Diag::unit}});
    if (copies) result.steps.push_back({.kind = TrmmStep::Kind::copy});
    result.steps.push_back({.kind = TrmmStep::Kind::whole, .from_copy = copies});
  }

  TrmmSteps result{};

 private:
  // Equal rectangles of a lower triangle, `apart` rows and columns apart. For an upper triangle, rows and columns are
  // exchanged.
  struct Rectangles {
    std::uint64_t row = 0, column = 0, rows = 0, columns = 0, count = 1, apart = 0;
  };

  void multiply_part(std::uint64_t begin, std::uint64_t end) {
    result.steps.push_back({.kind = TrmmStep::Kind::blocks, .first = begin});
    for (const TriangleSquares& squares : triangle_squares(begin, end, block_)) add(squares, true, begin);
  }

  void add(const TriangleSquares& squares, bool in_part, std::uint64_t copied) {
    add_equal(
        {squares.first + squares.half, squares.first, squares.rows, squares.half, squares.count, 2 * squares.half},
        in_part, copied);
  }

  // Adds the products of equal rectangles. `in_part`: they read the copy, or add to the sums, whose first row is
  // `copied`.
  void add_equal(Rectangles all, bool in_part, std::uint64_t copied, const std::optional<KRange>& range = {}) {
    if (system_.is_upper) {
      std::swap(all.row, all.column);
      std::swap(all.rows, all.columns);
    }
    const auto [row, column, rows, columns, count, apart] = all;
    const TrmmProblem& p = system_.problem;
    const TrmmCopy& copy = result.copy;
    const bool to_sums = copy.holds_sums, from_copy = in_part && !to_sums;
    const std::uint64_t source_step = from_copy ? copy.step : system_.step;
    const std::uint64_t target_step = to_sums ? copy.step : system_.step;
    const Repeats pairs{
        count, {apart * (system_.t_row_step + system_.t_column_step), apart * source_step, apart * target_step}};
    const Repeats systems{
        p.batch.count,
        {p.batch.stride_a, from_copy ? copy.stride : p.batch.stride_b, to_sums ? copy.stride : p.batch.stride_b}};
    visit_batches(
        systems, pairs,
        [&, row = row, column = column, rows = rows, columns = columns](const auto& offsets, const Repeats& batch) {
          TrmmStep step{.kind = TrmmStep::Kind::product,
                        .a = row * system_.t_row_step + column * system_.t_column_step + offsets[0],
                        .from_copy = from_copy,
                        .source = (from_copy ? column - copied : column) * source_step + offsets[1],
                        .target = (to_sums ? row - copied : row) * target_step + offsets[2]};
          const std::uint64_t alignment = alignment_of_parts(p.offset_alignment, {step.a, step.source, step.target});
          step.product = index_in(result.products, {product(rows, columns, from_copy, batch, alignment), range});
          result.steps.push_back(step);
        });
  }

  GemmProblem product(std::uint64_t rows, std::uint64_t columns, bool from_copy, const Repeats& batch,
                      std::uint64_t alignment) const {
    const TrmmProblem& p = system_.problem;
    const std::uint64_t ld = from_copy ? result.copy.ld() : p.ldb;
    GemmProblem problem{.type = p.type, .k = columns, .ldc = p.ldb, .offset_alignment = alignment};
    if (result.copy.holds_sums) {
      problem.type_c = accumulator_of(p.type);
      problem.ldc = result.copy.ld();
    }
    problem.batch.count = batch.count;
    if (batch.count > 1) problem.batch.stride_c = batch.strides[2];
    const std::uint64_t of_t = batch.count > 1 ? batch.strides[0] : 0, of_b = batch.count > 1 ? batch.strides[1] : 0;
    if (system_.is_left()) {
      problem.trans_a = p.trans;
      problem.m = rows;
      problem.n = system_.lines;
      problem.lda = p.lda;
      problem.ldb = ld;
      problem.batch.stride_a = of_t;
      problem.batch.stride_b = of_b;
    } else {
      problem.trans_b = p.trans;
      problem.m = system_.lines;
      problem.n = rows;
      problem.lda = ld;
      problem.ldb = p.lda;
      problem.batch.stride_a = of_b;
      problem.batch.stride_b = of_t;
    }
    return problem;
  }

  const TrmmSystem& system_;
  std::uint64_t block_, part_;
};

}  // namespace

TrmmSteps trmm_steps(const TrmmSystem& system, std::uint64_t block, std::uint64_t part) {
  Builder builder(system, block, part);
  if (system.keeps_sums())
    builder.multiply_in_sums();
  else
    builder.multiply(0, ceil_div(system.order, static_cast<std::int64_t>(part)));
  return std::move(builder.result);
}

TrmmSteps trmm_steps_with_range(const TrmmSystem& system, std::uint64_t block, std::uint64_t square) {
  Builder builder(system, block, rounded_up(system.order, static_cast<std::int64_t>(block)));
  builder.multiply_with_range(square);
  return std::move(builder.result);
}

TrmmSteps trmm_steps_of_whole(const TrmmSystem& system) {
  Builder builder(system, system.order, system.order);
  builder.multiply_whole(1, false);
  return std::move(builder.result);
}

TrmmSteps trmm_steps_of_copy(const TrmmSystem& system, std::uint64_t block) {
  Builder builder(system, system.order, system.order);
  builder.multiply_whole(block, true);
  return std::move(builder.result);
}

}  // namespace tilewright::detail
