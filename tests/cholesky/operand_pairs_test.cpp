// Every pair of operands of potrf, potrs and posv in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/run_report.hpp"
#include "tilewright/cholesky.hpp"

namespace tilewright::test {
namespace {

const Choice plain_updates{"naive", {}};

struct CholeskyShape {
  PotrsProblem problem{};
  detail::StoredMatrix a{}, b{};

  PotrfProblem factored() const {
    const PotrsProblem& p = problem;
    return {.layout = p.layout,
            .uplo = p.uplo,
            .n = p.n,
            .lda = p.lda,
            .offset_alignment = 1,
            .batch = {p.batch.count, p.batch.stride_a}};
  }
  PairOperand operand_a(bool written) const {
    return square_operand<float>(OperandName::a, a, written, problem.batch.count, problem.batch.stride_a);
  }
  PairOperand operand_b() const {
    return pair_operand<float>(OperandName::b, b, true, problem.batch.count, problem.batch.stride_b);
  }
  PairOperand operand_info() const { return integer_operand(OperandName::info, problem.batch.count, true); }
};

CholeskyShape draw_cholesky(PairDraw& draw, bool is_batch) {
  draw.new_pitch();
  CholeskyShape s;
  PotrsProblem& p = s.problem;
  p = {.layout = draw.layout(),
       .uplo = draw.flip() ? Uplo::lower : Uplo::upper,
       .n = 1 + draw.below(5),
       .nrhs = 1 + draw.below(4),
       .offset_alignment = 1};
  s.a = draw.matrix(p.layout, p.n, p.n);
  s.b = draw.matrix(p.layout, p.n, p.nrhs);
  p.lda = s.a.ld;
  p.ldb = s.b.ld;
  if (is_batch) p.batch = {.count = 2, .stride_a = draw.stride(s.a, 2, false), .stride_b = draw.stride(s.b, 2, false)};
  return s;
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of potrf, and its workspace") {
    PairDraw draw(361);
    for (std::uint64_t round = 0; round < 4; ++round) {
      CholeskyShape s = draw_cholesky(draw, round == 1);
      if (round == 3) {
        s.problem.n = s.problem.lda = 150;  // more than one block, which takes a workspace
        s.a = {150, 150, 150};
      }
      const PotrfPlan plan(shared_engine(), s.factored(), plain_updates);
      std::vector<PairOperand> operands{s.operand_a(true), s.operand_info()};
      if (plan.workspace_bytes() > 0) operands.push_back(workspace_operand(plan.workspace_bytes()));
      if (round == 3) REQUIRE(operands.size() == 3);
      check_operand_pairs(
          {.what = "potrf",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 PotrfOperands call{.a = refs[0], .info = refs[1]};
                 if (refs.size() > 2) call.workspace = {refs[2].buffer, refs[2].offset};
                 plan.enqueue(queue, call, waits);
               }},
          round);
    }
    count_kernel_of("potrf");
  }

  TEST_CASE("each pair of potrs and its workspace") {
    PairDraw draw(362);
    for (std::uint64_t round = 0; round < 4; ++round) {
      const CholeskyShape s = draw_cholesky(draw, round % 2 == 1);
      const PotrsPlan plan(shared_engine(), s.problem, plain_updates);
      REQUIRE(plan.workspace_bytes() > 0);
      check_operand_pairs(
          {.what = "potrs",
           .operands = {s.operand_a(false), s.operand_b(), workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue, {.a = refs[0], .b = refs[1], .workspace = {refs[2].buffer, refs[2].offset}},
                              waits);
               }},
          round);
    }
  }

  TEST_CASE("each pair of posv") {
    PairDraw draw(363);
    for (std::uint64_t round = 0; round < 4; ++round) {
      const CholeskyShape s = draw_cholesky(draw, round % 2 == 1);
      check_operand_pairs(
          {.what = "posv",
           .operands = {s.operand_a(true), s.operand_b(), s.operand_info()},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 posv(shared_engine(), queue, s.problem, refs[0], refs[1], refs[2], waits, plain_updates);
               }},
          round);
    }
  }
}

}  // namespace tilewright::test
