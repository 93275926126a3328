#include "symm/steps.hpp"

#include <array>
#include <utility>

#include "kernels/index_in.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/operands/triangle_squares.hpp"

namespace tilewright::detail {
namespace {

// A matrix that multiplies rows of B (columns for Side::right).
struct Factor {
  SymmStep::Factor kind = SymmStep::Factor::rectangle;
  Transpose trans = Transpose::no;
  std::uint64_t place = 0;  // elements from the start of A, or of the expanded blocks
  std::uint64_t ld = 0;
  std::uint64_t along = 0;                        // elements to the next equal factor
  std::uint64_t stride = 0;                       // elements to that of the next product of a batch
  std::uint64_t rows = 0, columns = 0;            // of op(factor), as it multiplies a column
  std::uint64_t first_row = 0, first_column = 0;  // in A
};

class Builder {
 public:
  explicit Builder(const SymmSystem& system) : system_(system), p_(system.problem) {}

  void multiply_blocks(const SymmBlocks& blocks) {
    const std::uint64_t order = system_.order(), whole = order / blocks.rows, rest = order % blocks.rows;
    Factor factor{.kind = SymmStep::Factor::expanded,
                  .ld = blocks.ld,
                  .along = blocks.rows * blocks.ld,
                  .stride = blocks.stride,
                  .rows = blocks.rows,
                  .columns = blocks.rows};
    if (whole > 0) add(factor, whole, blocks.rows);
    if (rest == 0) return;
    factor.first_row = factor.first_column = whole * blocks.rows;
    factor.place = whole * blocks.rows * blocks.ld;
    factor.rows = factor.columns = rest;
    add(factor, 1, 0);
  }

  void multiply_whole() {
    const std::uint64_t order = system_.order();
    add({.kind = SymmStep::Factor::whole,
         .trans = system_.is_left() ? mirrored() : Transpose::no,
         .ld = p_.lda,
         .stride = p_.batch.stride_a,
         .rows = order,
         .columns = order},
        1, 0);
  }

  // Multiplies by equal rectangles outside the diagonal blocks, as stored and transposed.
  void multiply_squares(const TriangleSquares& squares) {
    std::uint64_t row = squares.first + squares.half, column = squares.first;
    std::uint64_t rows = squares.rows, columns = squares.half;
    if (p_.uplo == Uplo::upper) {
      std::swap(row, column);
      std::swap(rows, columns);
    }
    const std::uint64_t apart = 2 * squares.half;
    Factor factor{
        .place = row * p_.lda + column, .ld = p_.lda, .along = apart * (p_.lda + 1), .stride = p_.batch.stride_a};
    // On the right, a column of C is a product with a column of the factor: the transpose multiplies the lines of B.
    for (const bool is_mirrored : {false, true}) {
      factor.trans = is_mirrored ? mirrored() : Transpose::no;
      const bool swaps = is_mirrored == system_.is_left();
      factor.rows = swaps ? columns : rows;
      factor.columns = swaps ? rows : columns;
      factor.first_row = swaps ? column : row;
      factor.first_column = swaps ? row : column;
      add(factor, squares.count, apart);
    }
  }

  SymmSteps result{};

 private:
  Transpose mirrored() const { return system_.is_hermitian() ? Transpose::conjugate_transpose : Transpose::yes; }

  // Adds the products with `count` equal factors, whose rows and columns are `apart` further along in A.
  void add(const Factor& factor, std::uint64_t count, std::uint64_t apart) {
    const std::uint64_t step_b = system_.is_left() ? p_.ldb : 1, step_c = system_.is_left() ? p_.ldc : 1;
    const Repeats factors{count, {factor.along, apart * step_b, apart * step_c}};
    const Repeats problems{p_.batch.count, {factor.stride, p_.batch.stride_b, p_.batch.stride_c}};
    visit_batches(problems, factors, [&](const auto& offsets, const Repeats& batch) {
      SymmStep step{.factor = factor.kind,
                    .a = factor.place + offsets[0],
                    .b = factor.first_column * step_b + offsets[1],
                    .c = factor.first_row * step_c + offsets[2]};
      const std::uint64_t alignment = alignment_of_parts(p_.offset_alignment, {step.a, step.b, step.c});
      step.product = index_in(result.products, product(factor, batch, alignment));
      result.steps.push_back(step);
    });
  }

  GemmProblem product(const Factor& factor, const Repeats& batch, std::uint64_t alignment) const {
    GemmProblem problem{.type = p_.type, .k = factor.columns, .ldc = p_.ldc, .offset_alignment = alignment};
    problem.batch.count = batch.count;
    const auto stride = [&](std::size_t operand) { return batch.count > 1 ? batch.strides[operand] : 0; };
    problem.batch.stride_c = stride(2);
    if (system_.is_left()) {
      problem.trans_a = factor.trans;
      problem.m = factor.rows;
      problem.n = p_.n;
      problem.lda = factor.ld;
      problem.ldb = p_.ldb;
      problem.batch.stride_a = stride(0);
      problem.batch.stride_b = stride(1);
    } else {
      problem.trans_b = factor.trans;
      problem.m = p_.m;
      problem.n = factor.rows;
      problem.lda = p_.ldb;
      problem.ldb = factor.ld;
      problem.batch.stride_a = stride(1);
      problem.batch.stride_b = stride(0);
    }
    return problem;
  }

  const SymmSystem& system_;
  const SymmProblem& p_;
};

}  // namespace

SymmSteps symm_steps(const SymmSystem& system, const SymmBlocks& blocks) {
  Builder builder(system);
  builder.multiply_blocks(blocks);
  for (const TriangleSquares& squares : triangle_squares(0, system.order(), blocks.rows))
    builder.multiply_squares(squares);
  return std::move(builder.result);
}

SymmSteps symm_steps_of_whole(const SymmSystem& system) {
  Builder builder(system);
  builder.multiply_whole();
  return std::move(builder.result);
}

}  // namespace tilewright::detail
