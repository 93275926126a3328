// Pairs of operands of tasks, such as those of LU, which share a struct of their problems and one of their operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/operand_pairs.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// The operands of a task, and the members that hold them.
template <class Problem, class Operands>
struct TaskPairs {
  Problem problem{};
  std::vector<PairOperand> operands{};
  std::vector<MatrixRef Operands::*> slots{};

  void add(MatrixRef Operands::*slot, PairOperand operand) {
    slots.push_back(slot);
    operands.push_back(std::move(operand));
  }
};

/// Adds the workspace to the operands if the task needs one, and checks each pair.
template <class Plan, class Problem, class Operands>
void check_task_pairs(TaskPairs<Problem, Operands>& pairs, std::uint64_t seed) {
  const Plan plan(shared_engine(), pairs.problem, {"naive", {}});
  if (plan.workspace_bytes() > 0) pairs.operands.push_back(workspace_operand(plan.workspace_bytes()));
  check_operand_pairs(
      {.what = std::string(to_string(pairs.problem.task)),
       .operands = pairs.operands,
       .call =
           [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
             Operands call;
             for (std::size_t i = 0; i < pairs.slots.size(); ++i) call.*pairs.slots[i] = refs[i];
             if (refs.size() > pairs.slots.size()) call.workspace = {refs.back().buffer, refs.back().offset};
             static_cast<void>(plan.enqueue(queue, call, waits));
           }},
      seed);
}

}  // namespace tilewright::test
