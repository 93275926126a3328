// Every pair of operands of potrf, potri, potrs and posv in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/run_report.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/cholesky_inverse.hpp"

namespace tilewright::test {
namespace {

const Choice plain_updates{"naive", {}};
constexpr std::uint64_t needs_workspace = 17;  // right-hand sides; on CPUs, one launch solves for fewer

// A posv, from which the problems of potrf and potrs are taken.
struct CholeskyShape {
  PosvProblem problem{};
  detail::StoredMatrix a{}, b{};

  PotrfProblem factorisation() const {
    const PosvProblem& p = problem;
    return {.layout = p.layout,
            .uplo = p.uplo,
            .n = p.n,
            .lda = p.lda,
            .offset_alignment = 1,
            .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a, .stride_info = p.batch.stride_info}};
  }
  PotriProblem inversion() const {
    const PosvProblem& p = problem;
    return {.layout = p.layout,
            .uplo = p.uplo,
            .n = p.n,
            .lda = p.lda,
            .offset_alignment = 1,
            .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a}};
  }
  PotrsProblem solution() const {
    const PosvProblem& p = problem;
    return {.layout = p.layout,
            .uplo = p.uplo,
            .n = p.n,
            .nrhs = p.nrhs,
            .lda = p.lda,
            .ldb = p.ldb,
            .offset_alignment = 1,
            .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a, .stride_b = p.batch.stride_b}};
  }
  PairOperand operand_a(bool written) const {
    return square_operand<float>(OperandName::a, a, written, problem.batch.count, problem.batch.stride_a);
  }
  PairOperand operand_b() const {
    return pair_operand<float>(OperandName::b, b, true, problem.batch.count, problem.batch.stride_b);
  }
  PairOperand operand_info() const {
    return integer_operand(OperandName::info, 1, true, problem.batch.count, problem.batch.stride_info);
  }
};

CholeskyShape draw_cholesky(PairDraw& draw, bool is_batch, std::uint64_t least_nrhs = 1) {
  draw.new_pitch();
  CholeskyShape s;
  PosvProblem& p = s.problem;
  p = {.layout = draw.layout(),
       .uplo = draw.flip() ? Uplo::lower : Uplo::upper,
       .n = 1 + draw.below(5),
       .nrhs = least_nrhs + draw.below(4),
       .offset_alignment = 1};
  s.a = draw.matrix(p.layout, p.n, p.n);
  s.b = draw.matrix(p.layout, p.n, p.nrhs);
  p.lda = s.a.ld;
  p.ldb = s.b.ld;
  if (is_batch)
    p.batch = {.count = 2,
               .stride_a = draw.stride(s.a, 2, false),
               .stride_b = draw.stride(s.b, 2, false),
               .stride_info = 1 + draw.below(3)};
  return s;
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of potrf, and its workspace") {
    PairDraw draw(361);
    for (std::uint64_t round = 0; round < 4; ++round) {
      CholeskyShape s = draw_cholesky(draw, round == 1);
      if (round == 3) {
        s.problem.n = s.problem.lda = 150;  // several blocks, which need a workspace
        s.a = {150, 150, 150};
      }
      const PotrfPlan plan(shared_engine(), s.factorisation(), plain_updates);
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

  TEST_CASE("potri and its workspace") {
    PairDraw draw(364);
    for (std::uint64_t round = 0; round < 2; ++round) {
      CholeskyShape s = draw_cholesky(draw, round == 1);
      s.problem.n = 150;  // several blocks, which need a workspace
      s.a = draw.matrix(s.problem.layout, 150, 150);
      s.problem.lda = s.a.ld;
      if (round == 1) s.problem.batch.stride_a = draw.stride(s.a, 2, false);
      const PotriPlan plan(shared_engine(), s.inversion(), plain_updates);
      REQUIRE(plan.workspace_bytes() > 0);
      check_operand_pairs(
          {.what = "potri",
           .operands = {s.operand_a(true), workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue, {.a = refs[0], .workspace = {refs[1].buffer, refs[1].offset}}, waits);
               }},
          round);
    }
    count_kernel_of("potri");
  }

  TEST_CASE("each pair of potrs and its workspace") {
    PairDraw draw(362);
    for (std::uint64_t round = 0; round < 4; ++round) {
      const CholeskyShape s = draw_cholesky(draw, round % 2 == 1, round < 2 ? 1 : needs_workspace);
      const PotrsPlan plan(shared_engine(), s.solution(), plain_updates);
      REQUIRE((round < 2 || plan.workspace_bytes() > 0));
      std::vector<PairOperand> operands{s.operand_a(false), s.operand_b()};
      if (plan.workspace_bytes() > 0) operands.push_back(workspace_operand(plan.workspace_bytes()));
      check_operand_pairs(
          {.what = "potrs",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 PotrsOperands call{.a = refs[0], .b = refs[1]};
                 if (refs.size() > 2) call.workspace = {refs[2].buffer, refs[2].offset};
                 plan.enqueue(queue, call, waits);
               }},
          round);
    }
  }

  TEST_CASE("each pair of posv and its workspace") {
    PairDraw draw(363);
    for (std::uint64_t round = 0; round < 4; ++round) {
      const CholeskyShape s = draw_cholesky(draw, round % 2 == 1, round < 2 ? 1 : needs_workspace);
      const PosvPlan plan(shared_engine(), s.problem, plain_updates);
      REQUIRE((round < 2 || plan.workspace_bytes() > 0));
      std::vector<PairOperand> operands{s.operand_a(true), s.operand_b(), s.operand_info()};
      if (plan.workspace_bytes() > 0) operands.push_back(workspace_operand(plan.workspace_bytes()));
      check_operand_pairs(
          {.what = "posv",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 PosvOperands call{.a = refs[0], .b = refs[1], .info = refs[2]};
                 if (refs.size() > 3) call.workspace = {refs[3].buffer, refs[3].offset};
                 plan.enqueue(queue, call, waits);
               }},
          round);
    }
  }
}

}  // namespace tilewright::test
