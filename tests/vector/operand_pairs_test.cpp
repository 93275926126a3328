// Each pair of operands of the vector functions in one buffer: overlaps are found by comparing sets of elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/run_report.hpp"
#include "tilewright/vector.hpp"

namespace tilewright::test {
namespace {

using Refs = std::span<const MatrixRef>;
using Waits = std::span<const cl_event>;

// One function. Its vectors are x, y and z, in this order.
struct VectorTask {
  std::string name;
  VectorFunction function{};
  std::vector<bool> written{};  // of each vector
  bool may_be_in_place = false;
  std::size_t result = 0;  // bytes of the result of a reduction; 0: none
  Scalar beta = 3;
  Summation summation = Summation::plain;

  void call(cl_command_queue queue, const VectorProblem& problem, Refs refs, Waits waits) const {
    VectorOperands operands{.alpha = 2, .beta = beta};
    MatrixRef* const vectors[] = {&operands.x, &operands.y, &operands.z};
    for (std::size_t i = 0; i < written.size(); ++i) *vectors[i] = refs[i];
    if (result != 0) operands.result = refs[written.size()];
    VectorPlan(shared_engine(), function, problem).enqueue(queue, operands, waits);
  }
};

std::vector<VectorTask> vector_tasks() {
  using enum VectorFunction;
  return {
      {"axpby", axpby, {false, true}, true},
      {"axpby, beta = 0", axpby, {false, true}, true, 0, 0},
      {"hadamard", hadamard, {false, false, true}, true},
      {"copy", VectorFunction::copy, {false, true}, true},
      {"swap", VectorFunction::swap, {true, true}},
      {"dot", dot, {false, false}, false, 4},
      {"compensated dot", dot, {false, false}, false, 4, 3, Summation::compensated},
      {"nrm2", nrm2, {false}, false, 4},
      {"asum", asum, {false}, false, 4},
      {"iamax", iamax, {false}, false, 8},
  };
}

OperandPairs draw_vectors(PairDraw& draw, const VectorTask& task, bool is_batch, VectorProblem& p) {
  constexpr OperandName names[] = {OperandName::x, OperandName::y, OperandName::z};
  p = {.n = 2 + draw.below(5), .summation = task.summation, .batch = {.count = is_batch ? 3U : 1U}};
  std::int64_t* const increments[] = {&p.incx, &p.incy, &p.incz};
  std::uint64_t* const strides[] = {&p.batch.stride_x, &p.batch.stride_y, &p.batch.stride_z};
  OperandPairs pairs{.what = task.name, .operands = {}, .call = [&](cl_command_queue queue, Refs refs, Waits waits) {
                       task.call(queue, p, refs, waits);
                     }};
  const std::uint64_t usual = 1 + draw.below(4);
  for (std::size_t i = 0; i < task.written.size(); ++i) {
    detail::StoredMatrix vector = draw.vector(p.n, 12);
    if (draw.flip()) vector.ld = usual;
    *increments[i] = static_cast<std::int64_t>(vector.ld) * (draw.below(4) == 0 ? -1 : 1);
    *strides[i] = draw.stride(vector, 3, !task.written[i]);
    // Allows the vector to coincide with x, whose vectors in a batch may share elements.
    if (i > 0 && p.incx == *increments[i])
      *strides[i] = task.written[i] ? std::max(p.batch.stride_x, vector.extent()) : p.batch.stride_x;
    pairs.operands.push_back(pair_operand<float>(names[i], vector, task.written[i], p.batch.count, *strides[i]));
    for (std::size_t k = 0; k < i; ++k)
      if (task.may_be_in_place && *increments[k] == *increments[i]) pairs.in_place.emplace_back(k, i);
  }
  if (task.result == 0) return pairs;
  p.batch.stride_result = 1 + draw.below(3);
  PairOperand result =
      pair_operand<float>(OperandName::result, {1, task.result / 4, 1}, true, p.batch.count, p.batch.stride_result);
  result.matrix.columns = 1;
  result.element = task.result;
  pairs.operands.push_back(result);
  return pairs;
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of operands of every vector function") {
    PairDraw draw(321);
    for (const VectorTask& task : vector_tasks())
      for (std::uint64_t round = 0; round < 4; ++round) {
        VectorProblem problem;
        check_operand_pairs(draw_vectors(draw, task, round % 2 == 1, problem), round);
      }
    count_kernel_of("vectors");
  }
}

}  // namespace tilewright::test
