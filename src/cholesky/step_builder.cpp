#include "cholesky/step_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/index_in.hpp"
#include "kernels/operands/parts_alignment.hpp"

namespace tilewright::detail {
namespace {

// Appends the squares below the diagonal of a range, which is halved until single blocks are left.
void append_squares(std::vector<BlockPart>& parts, const BlockRange& range) {
  if (range.count() == 1) return;
  const std::uint64_t middle = range.middle();
  parts.push_back({{middle, range.end}, {range.first, middle}});
  append_squares(parts, {range.first, middle});
  append_squares(parts, {middle, range.end});
}

}  // namespace

std::uint64_t BlockRange::middle() const { return first + std::bit_floor(count() - 1); }

StepBuilder::StepBuilder(const PotrfSystem& system, std::uint64_t block, std::uint64_t tiles, Operands operands,
                         const PotrfForms& forms)
    : system_(system),
      block_(block),
      blocks_((system.problem.n + block - 1) / block),
      tile_stride_(tiles * block * block),
      operands_(operands),
      whole_triangles_(forms.whole_triangles) {
  result.max_tiles = whole_triangles_ ? 0 : tiles;
}

std::uint64_t StepBuilder::size(const BlockRange& range) const {
  return std::min(range.end * block_, system_.problem.n) - range.first * block_;
}

void StepBuilder::append_diagonal(std::uint64_t block) {
  result.steps.push_back({.kind = PotrfStep::Kind::diagonal,
                          .c = place(block, block),
                          .rows = std::min((block + 1) * block_, system_.problem.n)});
}

// An upper triangle stores the transposes of T, X and C, so the sides are exchanged.
void StepBuilder::solve(Side side, const BlockRange& triangle, Transpose trans, const BlockPart& part, double alpha) {
  const PotrfProblem& p = system_.problem;
  const bool is_upper = system_.is_upper();
  const std::uint64_t a = place(triangle.first, triangle.first), c = place(part.rows.first, part.columns.first);
  const TrsmProblem problem{.type = p.type,
                            .side = (side == Side::left) != is_upper ? Side::left : Side::right,
                            .uplo = p.uplo,
                            .trans = trans,
                            .m = size(is_upper ? part.columns : part.rows),
                            .n = size(is_upper ? part.rows : part.columns),
                            .lda = p.lda,
                            .ldb = p.lda,
                            .offset_alignment = alignment_of_parts(p.offset_alignment, {a, c}),
                            .batch = {p.batch.count, p.batch.stride_a, p.batch.stride_a}};
  result.steps.push_back(
      {.kind = PotrfStep::Kind::solve, .plan = index_in(result.solves, problem), .a = a, .c = c, .alpha = alpha});
}

void StepBuilder::update(const BlockRange& range, std::uint64_t end, const BlockRange& depth) {
  if (whole_triangles_) {
    const Parts part{{{range.first, end}, range}, 1, 0};
    append(step_of(PotrfStep::Kind::triangle, part.first, depth), product(part, depth), result.triangles);
    return;
  }
  if (end > range.end) multiply({{{range.end, end}, range}, 1, 0}, depth);
  update_by_tiles(range, depth);
}

void StepBuilder::update_by_tiles(const BlockRange& range, const BlockRange& depth) {
  std::vector<BlockPart> squares;
  append_squares(squares, range);
  for (const Parts& parts : grouped(squares)) multiply(parts, depth);
  const BlockRange last{range.end - 1, range.end};
  const std::uint64_t whole = is_whole(last) ? range.count() : range.count() - 1;
  for (const Parts& parts : tiles(range.first, whole)) make_tiles(parts, depth, range.first);
  if (whole < range.count()) make_tiles({{last, last}, 1, 0}, depth, range.first);
  result.steps.push_back({.kind = PotrfStep::Kind::subtract,
                          .plan = static_cast<std::size_t>(range.count()),
                          .c = place(range.first, range.first),
                          .rows = size(range)});
}

std::vector<StepBuilder::Parts> StepBuilder::grouped(std::vector<BlockPart> parts) const {
  const auto key = [&](const BlockPart& part) {
    return std::array{size(part.rows), size(part.columns), part.columns.first};
  };
  std::sort(parts.begin(), parts.end(), [&](const BlockPart& x, const BlockPart& y) { return key(x) < key(y); });
  std::vector<Parts> result_parts;
  for (const BlockPart& part : parts) {
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

bool StepBuilder::joins(const Parts& group, const BlockPart& part) const {
  const std::uint64_t distance = part.columns.first - group.first.columns.first;
  return !is_batch() && size(group.first.rows) == size(part.rows) && size(group.first.columns) == size(part.columns) &&
         part.rows.first - group.first.rows.first == distance &&
         (group.count == 1 || distance == group.count * group.distance);
}

std::vector<StepBuilder::Parts> StepBuilder::tiles(std::uint64_t first, std::uint64_t count) const {
  const auto tile = [&](std::uint64_t x) { return BlockPart{{x, x + 1}, {x, x + 1}}; };
  if (count == 0) return {};
  if (!is_batch()) return {{tile(first), count, 1}};
  std::vector<Parts> single;
  for (std::uint64_t x = first; x < first + count; ++x) single.push_back({tile(x), 1, 0});
  return single;
}

// Returns L(rows, depth) L(columns, depth)^H or L(depth, rows)^H L(depth, columns), transposed for an upper triangle.
GemmProblem StepBuilder::product(const Parts& parts, const BlockRange& depth) const {
  const PotrfProblem& p = system_.problem;
  const BlockPart& part = parts.first;
  const bool is_upper = system_.is_upper(), by_rows = operands_ == Operands::rows;
  const bool first_is_adjoint = is_upper == by_rows;
  GemmProblem problem{.type = p.type,
                      .trans_a = first_is_adjoint ? adjoint(p.type) : Transpose::no,
                      .trans_b = first_is_adjoint ? Transpose::no : adjoint(p.type),
                      .m = size(is_upper ? part.columns : part.rows),
                      .n = size(is_upper ? part.rows : part.columns),
                      .k = size(depth),
                      .lda = p.lda,
                      .ldb = p.lda,
                      .ldc = p.lda};
  const std::uint64_t step = parts.distance * block_;
  const std::uint64_t of_operands = step * (by_rows ? system_.row_step : system_.column_step);
  problem.batch = is_batch() ? Batch{p.batch.count, p.batch.stride_a, p.batch.stride_a, p.batch.stride_a}
                             : Batch{parts.count, of_operands, of_operands, step * (p.lda + 1)};
  return problem;
}

PotrfStep StepBuilder::step_of(PotrfStep::Kind kind, const BlockPart& part, const BlockRange& depth) const {
  const bool by_rows = operands_ == Operands::rows;
  const auto operand = [&](const BlockRange& range) {
    return by_rows ? place(range.first, depth.first) : place(depth.first, range.first);
  };
  PotrfStep step{.kind = kind,
                 .a = operand(part.rows),
                 .b = operand(part.columns),
                 .c = place(part.rows.first, part.columns.first),
                 .alpha = by_rows ? -1.0 : 1.0};
  if (system_.is_upper()) std::swap(step.a, step.b);
  return step;
}

void StepBuilder::multiply(const Parts& parts, const BlockRange& depth) {
  append(step_of(PotrfStep::Kind::product, parts.first, depth), product(parts, depth), result.products);
}

void StepBuilder::make_tiles(const Parts& parts, const BlockRange& depth, std::uint64_t first) {
  GemmProblem problem = product(parts, depth);
  problem.ldc = block_;
  problem.batch.stride_c = is_batch() ? tile_stride_ : block_ * block_;
  PotrfStep step = step_of(PotrfStep::Kind::tiles, parts.first, depth);
  step.c = (parts.first.rows.first - first) * block_ * block_;
  append(step, problem, result.products);
}

void StepBuilder::append(PotrfStep step, GemmProblem problem, std::vector<GemmProblem>& problems) {
  problem.offset_alignment = alignment_of_parts(system_.problem.offset_alignment, {step.a, step.b, step.c});
  step.plan = index_in(problems, problem);
  result.steps.push_back(step);
}

}  // namespace tilewright::detail
