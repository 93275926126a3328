#include "cholesky/steps.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/operands/parts_alignment.hpp"

namespace tilewright::detail {
namespace {

struct Range {
  std::uint64_t first, end;
  std::uint64_t count() const { return end - first; }
};

// A rectangle of the matrix, in blocks.
struct Part {
  Range rows, columns;
};

// Parts of equal size at equal distances along the diagonal.
struct Parts {
  Part first;
  std::uint64_t count;
  std::uint64_t distance;  // between consecutive parts, in blocks
};

std::uint64_t middle_of(const Range& range) { return range.first + std::bit_floor(range.count() - 1); }

// Appends the squares below the diagonal of a range, which is halved until single blocks are left.
void append_squares(std::vector<Part>& parts, const Range& range) {
  if (range.count() == 1) return;
  const std::uint64_t middle = middle_of(range);
  parts.push_back({{middle, range.end}, {range.first, middle}});
  append_squares(parts, {range.first, middle});
  append_squares(parts, {middle, range.end});
}

template <class T>
std::size_t index_of(std::vector<T>& all, const T& wanted) {
  const auto found = std::find(all.begin(), all.end(), wanted);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  all.push_back(wanted);
  return all.size() - 1;
}

class Builder {
 public:
  Builder(const PotrfSystem& system, std::uint64_t block, std::uint64_t tiles)
      : system_(system),
        block_(block),
        blocks_((system.problem.n + block - 1) / block),
        tile_stride_(tiles * block * block) {
    result.max_tiles = tiles;
  }

  // Factors the columns of a range of blocks, in all rows from the range's first to the last of the matrix: the first
  // half of the columns, then the second half after the products of the first were subtracted.
  void factor(const Range& range) {
    if (range.count() == 1) {
      result.steps.push_back({.kind = PotrfStep::Kind::factor,
                              .c = place(range.first, range.first),
                              .rows = std::min(range.end * block_, system_.problem.n)});
      if (const Range below{range.end, blocks_}; below.count() > 0) solve(range, below);
      return;
    }
    const Range before{range.first, middle_of(range)}, after{before.end, range.end};
    factor(before);
    update(before, after);
    factor(after);
  }

  PotrfSteps result{};

 private:
  std::uint64_t place(std::uint64_t row_block, std::uint64_t column_block) const {
    return system_.place(row_block * block_, column_block * block_);
  }
  std::uint64_t size(const Range& range) const {
    return std::min(range.end * block_, system_.problem.n) - range.first * block_;
  }
  bool is_whole(const Range& range) const { return size(range) == range.count() * block_; }

  void solve(const Range& columns, const Range& rows) {
    const PotrfProblem& p = system_.problem;
    const std::uint64_t triangle = place(columns.first, columns.first), solved = place(rows.first, columns.first);
    TrsmProblem problem{.type = p.type,
                        .side = system_.is_upper() ? Side::left : Side::right,
                        .uplo = p.uplo,
                        .trans = Transpose::yes,
                        .m = size(system_.is_upper() ? columns : rows),
                        .n = size(system_.is_upper() ? rows : columns),
                        .lda = p.lda,
                        .ldb = p.lda,
                        .offset_alignment = alignment_of_parts(p.offset_alignment, {triangle, solved}),
                        .batch = {p.batch.count, p.batch.stride_a, p.batch.stride_a}};
    result.steps.push_back(
        {.kind = PotrfStep::Kind::solve, .plan = index_of(result.solves, problem), .a = triangle, .c = solved});
  }

  void update(const Range& depth, const Range& rows) {
    std::vector<Part> squares;
    append_squares(squares, rows);
    for (const Parts& parts : grouped(squares)) multiply(parts, depth);
    if (const Range below{rows.end, blocks_}; below.count() > 0) multiply({{below, rows}, 1, 0}, depth);
    const Range last{rows.end - 1, rows.end};
    const std::uint64_t whole = is_whole(last) ? rows.count() : rows.count() - 1;
    for (const Parts& parts : tiles(rows.first, whole)) make_tiles(parts, depth, rows.first);
    if (whole < rows.count()) make_tiles({{last, last}, 1, 0}, depth, rows.first);
    result.steps.push_back({.kind = PotrfStep::Kind::subtract,
                            .plan = static_cast<std::size_t>(rows.count()),
                            .c = place(rows.first, rows.first),
                            .rows = size(rows)});
  }

  // Products of a batch of matrices already use Batch, so parts cannot form a batch of their own.
  bool is_batch() const { return system_.problem.batch.count != 1; }

  std::vector<Parts> grouped(std::vector<Part> parts) const {
    const auto key = [&](const Part& part) {
      return std::array{size(part.rows), size(part.columns), part.columns.first};
    };
    std::sort(parts.begin(), parts.end(), [&](const Part& x, const Part& y) { return key(x) < key(y); });
    std::vector<Parts> result_parts;
    for (const Part& part : parts) {
      if (!result_parts.empty() && joins(result_parts.back(), part)) {
        Parts& group = result_parts.back();
        group.distance = (part.columns.first - group.first.columns.first) / group.count;
        ++group.count;
      } else {
        result_parts.push_back({part, 1, 0});
      }
    }
    return result_parts;
  }

  bool joins(const Parts& group, const Part& part) const {
    const std::uint64_t distance = part.columns.first - group.first.columns.first;
    return !is_batch() && size(group.first.rows) == size(part.rows) &&
           size(group.first.columns) == size(part.columns) && part.rows.first - group.first.rows.first == distance &&
           (group.count == 1 || distance == group.count * group.distance);
  }

  std::vector<Parts> tiles(std::uint64_t first, std::uint64_t count) const {
    const auto tile = [&](std::uint64_t x) { return Part{{x, x + 1}, {x, x + 1}}; };
    if (count == 0) return {};
    if (!is_batch()) return {{tile(first), count, 1}};
    std::vector<Parts> single;
    for (std::uint64_t x = first; x < first + count; ++x) single.push_back({tile(x), 1, 0});
    return single;
  }

  // Returns L(rows, depth) L(columns, depth)^T, transposed for an upper factor.
  GemmProblem product(const Parts& parts, const Range& depth) const {
    const PotrfProblem& p = system_.problem;
    const Part& part = parts.first;
    const bool is_upper = system_.is_upper();
    GemmProblem problem{.type = p.type,
                        .trans_a = is_upper ? Transpose::yes : Transpose::no,
                        .trans_b = is_upper ? Transpose::no : Transpose::yes,
                        .m = size(is_upper ? part.columns : part.rows),
                        .n = size(is_upper ? part.rows : part.columns),
                        .k = size(depth),
                        .lda = p.lda,
                        .ldb = p.lda,
                        .ldc = p.lda};
    const std::uint64_t step = parts.distance * block_;
    problem.batch = is_batch()
                        ? Batch{p.batch.count, p.batch.stride_a, p.batch.stride_a, p.batch.stride_a}
                        : Batch{parts.count, step * system_.row_step, step * system_.row_step, step * (p.lda + 1)};
    return problem;
  }

  PotrfStep step_of(PotrfStep::Kind kind, const Part& part, const Range& depth) const {
    PotrfStep step{.kind = kind,
                   .a = place(part.rows.first, depth.first),
                   .b = place(part.columns.first, depth.first),
                   .c = place(part.rows.first, part.columns.first)};
    if (system_.is_upper()) std::swap(step.a, step.b);
    return step;
  }

  void multiply(const Parts& parts, const Range& depth) {
    append(step_of(PotrfStep::Kind::product, parts.first, depth), product(parts, depth));
  }

  void make_tiles(const Parts& parts, const Range& depth, std::uint64_t first) {
    GemmProblem problem = product(parts, depth);
    problem.ldc = block_;
    problem.batch.stride_c = is_batch() ? tile_stride_ : block_ * block_;
    PotrfStep step = step_of(PotrfStep::Kind::tiles, parts.first, depth);
    step.c = (parts.first.rows.first - first) * block_ * block_;
    append(step, problem);
  }

  void append(PotrfStep step, GemmProblem problem) {
    problem.offset_alignment = alignment_of_parts(system_.problem.offset_alignment, {step.a, step.b, step.c});
    step.plan = index_of(result.products, problem);
    result.steps.push_back(step);
  }

  const PotrfSystem& system_;
  std::uint64_t block_;
  std::uint64_t blocks_;
  std::uint64_t tile_stride_;  // elements from the tiles of one matrix to those of the next
};

// Returns the largest number of diagonal blocks that one update has.
std::uint64_t max_tiles(std::uint64_t blocks) {
  if (blocks <= 1) return 0;
  const std::uint64_t first = std::bit_floor(blocks - 1);
  return std::max({blocks - first, max_tiles(first), max_tiles(blocks - first)});
}

}  // namespace

PotrfSteps potrf_steps(const PotrfSystem& system, std::uint64_t block) {
  const std::uint64_t blocks = (system.problem.n + block - 1) / block;
  Builder builder(system, block, max_tiles(blocks));
  builder.factor({0, blocks});
  return std::move(builder.result);
}

}  // namespace tilewright::detail
