// Every pair of operands of the vector operations in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/run_report.hpp"
#include "tilewright/vector.hpp"

namespace tilewright::test {
namespace {

using Refs = std::span<const MatrixRef>;
using Waits = std::span<const cl_event>;

// One operation. Its vectors are x, y and z, in this order; `result` is the size of a reduction's result.
struct VectorTask {
  std::string name;
  std::vector<bool> written;  // of each vector
  bool may_be_in_place = false;
  std::size_t result = 0;  // bytes
  std::function<void(cl_command_queue, const VectorProblem&, Refs, Waits)> call;
};

std::vector<VectorTask> vector_tasks() {
  const Engine& e = shared_engine();
  using Q = cl_command_queue;
  using P = const VectorProblem&;
  return {
      {"axpby", {false, true}, true, 0, [&](Q q, P p, Refs r, Waits w) { axpby(e, q, p, 2, r[0], 3, r[1], w); }},
      {"axpby, beta = 0",
       {false, true},
       true,
       0,
       [&](Q q, P p, Refs r, Waits w) { axpby(e, q, p, 2, r[0], 0, r[1], w); }},
      {"hadamard",
       {false, false, true},
       true,
       0,
       [&](Q q, P p, Refs r, Waits w) { hadamard(e, q, p, 2, r[0], r[1], 3, r[2], w); }},
      {"copy", {false, true}, true, 0, [&](Q q, P p, Refs r, Waits w) { copy(e, q, p, r[0], r[1], w); }},
      {"swap", {true, true}, false, 0, [&](Q q, P p, Refs r, Waits w) { swap(e, q, p, r[0], r[1], w); }},
      {"dot",
       {false, false},
       false,
       4,
       [&](Q q, P p, Refs r, Waits w) { dot(e, q, p, r[0], r[1], r[2], Summation::plain, w); }},
      {"compensated dot",
       {false, false},
       false,
       4,
       [&](Q q, P p, Refs r, Waits w) { dot(e, q, p, r[0], r[1], r[2], Summation::compensated, w); }},
      {"nrm2", {false}, false, 4, [&](Q q, P p, Refs r, Waits w) { nrm2(e, q, p, r[0], r[1], w); }},
      {"asum", {false}, false, 4, [&](Q q, P p, Refs r, Waits w) { asum(e, q, p, r[0], r[1], w); }},
      {"iamax", {false}, false, 8, [&](Q q, P p, Refs r, Waits w) { iamax(e, q, p, r[0], r[1], w); }},
  };
}

OperandPairs draw_vectors(PairDraw& draw, const VectorTask& task, bool is_batch, VectorProblem& p) {
  constexpr OperandName names[] = {OperandName::x, OperandName::y, OperandName::z};
  p = {.n = 2 + draw.below(5), .batch = {.count = is_batch ? 3U : 1U}};
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
    // The same vectors as x's; x may share elements with itself.
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
  TEST_CASE("each pair of every vector operation") {
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
