// Any of LU's five operations, for checks that draw one of them or go through all. Each call uses the public interface.
#pragma once

#include <array>
#include <span>
#include <variant>

#include "lu/lu_problem.hpp"
#include "tilewright/lu.hpp"

namespace tilewright::verification {

using detail::LuOperands;
using detail::LuProblem;
using detail::LuTask;

inline constexpr std::array lu_tasks{LuTask::getrf, LuTask::getrs, LuTask::gesv, LuTask::getri, LuTask::det};

/// The public plan of a problem's task. The strides of operands that the task lacks must be 0.
class AnyLuPlan {
 public:
  AnyLuPlan(const Engine& engine, const LuProblem& problem, const Choice& choice = {});

  [[nodiscard]] Event enqueue(cl_command_queue queue, const LuOperands& operands,
                              std::span<const cl_event> waits = {}) const;
  std::uint64_t workspace_bytes() const;

 private:
  std::variant<GetrfPlan, GetrsPlan, GesvPlan, GetriPlan, DetPlan> plan_;
};

/// The one-shot function of the problem's task.
Event run_lu(const Engine& engine, cl_command_queue queue, const LuProblem& problem, const LuOperands& operands,
             std::span<const cl_event> waits = {}, const Choice& choice = {});

}  // namespace tilewright::verification
