// Every pair of operands of a product in one buffer, compared with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <memory>
#include <vector>

#include "support/run_report.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright::test {
namespace {

const Choice plain_product{"naive", {}};
const Choice packed_product{"packed_panel", {{"pack_b", 1}, {"item_n", 4}, {"vector_n", 4}}};  // packs B

struct ProductShape {
  GemmProblem problem{};
  detail::StoredMatrix a{}, b{}, c{};
};

ProductShape draw_product(PairDraw& draw, Layout layout) {
  draw.new_pitch();
  ProductShape s;
  GemmProblem& p = s.problem;
  p = {.layout = layout,
       .trans_a = draw.trans(),
       .trans_b = draw.trans(),
       .m = 1 + draw.below(5),
       .n = 1 + draw.below(5),
       .k = 1 + draw.below(5),
       .offset_alignment = 1};
  const bool a_is_stored = p.trans_a == Transpose::no, b_is_stored = p.trans_b == Transpose::no;
  s.a = draw.matrix(layout, a_is_stored ? p.m : p.k, a_is_stored ? p.k : p.m);
  s.b = draw.matrix(layout, b_is_stored ? p.k : p.n, b_is_stored ? p.n : p.k);
  s.c = draw.matrix(layout, p.m, p.n);
  p.lda = s.a.ld;
  p.ldb = s.b.ld;
  p.ldc = s.c.ld;
  return s;
}

template <class T>
std::vector<PairOperand> matrices_of(const ProductShape& s) {
  const Batch& batch = s.problem.batch;
  return {pair_operand<T>(OperandName::a, s.a, false, batch.count, batch.stride_a),
          pair_operand<T>(OperandName::b, s.b, false, batch.count, batch.stride_b),
          pair_operand<T>(OperandName::c, s.c, true, batch.count, batch.stride_c)};
}

GemmOperands product_call(std::span<const MatrixRef> refs) {
  return {.alpha = 2, .a = refs[0], .b = refs[1], .beta = 3, .c = refs[2]};
}

void draw_strides(PairDraw& draw, ProductShape& s) {
  const std::uint64_t count = 2 + draw.below(2);
  s.problem.batch = {.count = count,
                     .stride_a = draw.stride(s.a, count, true),
                     .stride_b = draw.stride(s.b, count, true),
                     .stride_c = draw.stride(s.c, count, false)};
}

// Distinct offsets in any order. Matrices C do not overlap: their offsets differ by multiples of a stride.
std::vector<std::uint64_t> draw_offsets(PairDraw& draw, const detail::StoredMatrix& matrix, bool may_share) {
  const std::uint64_t stride = draw.stride(matrix, 3, may_share);
  return draw.flip() ? std::vector{stride, 2 * stride, std::uint64_t{0}}
                     : std::vector{std::uint64_t{0}, stride, 2 * stride};
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of a product's matrices") {
    PairDraw draw(301);
    for (int round = 0; round < 8; ++round) {
      ProductShape s = draw_product(draw, draw.layout());
      if (round % 2 == 1) draw_strides(draw, s);
      const auto plan = std::make_shared<GemmPlan>(shared_engine(), s.problem, plain_product);
      check_operand_pairs(
          {.what = "gemm",
           .operands = matrices_of<float>(s),
           .call = [&](cl_command_queue queue, std::span<const MatrixRef> refs,
                       std::span<const cl_event> waits) { plan->enqueue(queue, product_call(refs), waits); }},
          static_cast<std::uint64_t>(round));
    }
    count_kernel_of("gemm");
  }

  TEST_CASE("each pair of a batch by offsets") {
    PairDraw draw(302);
    for (int round = 0; round < 4; ++round) {
      ProductShape s = draw_product(draw, draw.layout());
      s.problem.batch = {.count = 3, .by_offsets = true};
      s.problem.epilogue.residual = round % 2 == 1;
      const detail::StoredMatrix r = {s.c.rows, s.c.columns, s.c.ld};
      s.problem.epilogue.ldr = r.ld;
      const std::vector<std::uint64_t> of_a = draw_offsets(draw, s.a, true), of_b = draw_offsets(draw, s.b, true),
                                       of_c = draw_offsets(draw, s.c, false);
      const auto operand = [&](OperandName name, const detail::StoredMatrix& matrix,
                               const std::vector<std::uint64_t>& offsets, bool written) {
        PairOperand result = pair_operand<float>(name, matrix, written, offsets.size());
        result.offsets = offsets;
        return result;
      };
      std::vector<PairOperand> operands{operand(OperandName::a, s.a, of_a, false),
                                        operand(OperandName::b, s.b, of_b, false),
                                        operand(OperandName::c, s.c, of_c, true)};
      if (s.problem.epilogue.residual) operands.push_back(operand(OperandName::residual, r, of_c, false));
      const GemmPlan plan(shared_engine(), s.problem, plain_product);
      check_operand_pairs(
          {.what = "gemm by offsets",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 GemmOperands call = product_call(refs);
                 call.offsets = {of_a, of_b, of_c};
                 if (refs.size() > 3) call.residual = refs[3];
                 plan.enqueue(queue, call, waits);
               }},
          static_cast<std::uint64_t>(round));
    }
  }

  TEST_CASE("each pair with the operands of an epilogue and a workspace") {
    PairDraw draw(303);
    for (int round = 0; round < 6; ++round) {
      ProductShape s = draw_product(draw, draw.layout());
      if (round % 2 == 1) draw_strides(draw, s);
      GemmProblem& p = s.problem;
      const detail::StoredMatrix residual = draw.matrix(p.layout, p.m, p.n);
      const std::uint64_t stride = p.batch.count > 1 ? draw.stride(residual, p.batch.count, true) : 0;
      p.epilogue = {.scale = EpilogueVector::per_row,
                    .bias = EpilogueVector::per_column,
                    .residual = true,
                    .ldr = residual.ld,
                    .stride_residual = stride};
      std::vector<PairOperand> operands = matrices_of<float>(s);
      operands.push_back(pair_operand<float>(OperandName::scale, {1, p.m, p.m}));
      operands.push_back(pair_operand<float>(OperandName::bias, {1, p.n, p.n}));
      operands.push_back(pair_operand<float>(OperandName::residual, residual, false, p.batch.count, stride));
      const bool is_packed = round >= 4;
      const GemmPlan plan(shared_engine(), p, is_packed ? packed_product : plain_product);
      if (is_packed) {
        REQUIRE(plan.workspace_bytes() > 0);
        operands.push_back(workspace_operand(plan.workspace_bytes()));
      }
      check_operand_pairs(
          {.what = "gemm with an epilogue",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 GemmOperands call = product_call(refs);
                 call.scale = refs[3];
                 call.bias = refs[4];
                 call.residual = refs[5];
                 if (is_packed) call.workspace = {refs[6].buffer, refs[6].offset};
                 plan.enqueue(queue, call, waits);
               }},
          static_cast<std::uint64_t>(round));
    }
  }

  // Elements of A and B have one byte, elements of C four.
  TEST_CASE("each pair of an integer product") {
    PairDraw draw(304);
    for (int round = 0; round < 3; ++round) {
      ProductShape s = draw_product(draw, Layout::row_major);
      s.problem.type = DataType::i8;
      std::vector<PairOperand> operands = matrices_of<std::int8_t>(s);
      operands[2] = pair_operand<std::int32_t>(OperandName::c, s.c, true);
      const GemmPlan plan(shared_engine(), s.problem, plain_product);
      check_operand_pairs(
          {.what = "gemm of integers",
           .operands = operands,
           .call = [&](cl_command_queue queue, std::span<const MatrixRef> refs,
                       std::span<const cl_event> waits) { plan.enqueue(queue, product_call(refs), waits); }},
          static_cast<std::uint64_t>(round));
    }
  }

  TEST_CASE("each pair of a complex product and its workspace") {
    PairDraw draw(305);
    for (int round = 0; round < 3; ++round) {
      ProductShape s = draw_product(draw, draw.layout());
      s.problem.type = DataType::c64;
      if (round == 2) draw_strides(draw, s);
      const GemmPlan plan(shared_engine(), s.problem, plain_product);
      REQUIRE(plan.workspace_bytes() > 0);
      std::vector<PairOperand> operands = matrices_of<std::complex<float>>(s);
      operands.push_back(workspace_operand(plan.workspace_bytes()));
      check_operand_pairs(
          {.what = "complex gemm",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 GemmOperands call = product_call(refs);
                 call.workspace = {refs[3].buffer, refs[3].offset};
                 plan.enqueue(queue, call, waits);
               }},
          static_cast<std::uint64_t>(round));
    }
  }

  TEST_CASE("the source of a packed matrix is free once it is packed") {
    PairDraw draw(306);
    for (const Choice& choice : {plain_product, packed_product}) {
      ProductShape s = draw_product(draw, Layout::row_major);
      const GemmPlan plan(shared_engine(), s.problem, choice);
      const cl::CommandQueue queue = make_queue();
      const std::vector<float> ones(s.b.extent(), 1);
      const cl::Buffer source(shared_context(), CL_MEM_READ_WRITE, 4 * ones.size());
      queue.enqueueWriteBuffer(source, CL_TRUE, 0, 4 * ones.size(), ones.data());
      const PackedMatrix packed(plan, GemmInput::b, queue(), {source()});
      std::vector<PairOperand> operands = matrices_of<float>(s);
      operands.erase(operands.begin() + 1);
      check_operand_pairs(
          {.what = "gemm with a packed B",
           .operands = operands,
           .call =
               [&](cl_command_queue on, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(on, {.a = refs[0], .b = refs[1], .c = refs[1], .packed_b = &packed}, waits);
               }},
          0);
    }
  }
}

}  // namespace tilewright::test
