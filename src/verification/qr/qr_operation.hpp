// Any of QR's four operations, for checks that draw one of them or go through all. Each call uses the public interface.
#pragma once

#include <array>
#include <span>
#include <variant>

#include "qr/qr_problem.hpp"

namespace tilewright::verification {

using detail::QrOperands;
using detail::QrProblem;
using detail::QrTask;

inline constexpr std::array qr_tasks{QrTask::geqrf, QrTask::ormqr, QrTask::orgqr, QrTask::gels};

/// The public plan of a problem's task. The strides of operands that the task lacks must be 0.
class AnyQrPlan {
 public:
  AnyQrPlan(const Engine& engine, const QrProblem& problem, const Choice& choice = {});

  [[nodiscard]] Event enqueue(cl_command_queue queue, const QrOperands& operands,
                              std::span<const cl_event> waits = {}) const;
  std::uint64_t workspace_bytes() const;

 private:
  std::variant<GeqrfPlan, OrmqrPlan, OrgqrPlan, GelsPlan> plan_;
};

/// The one-shot function of the problem's task.
Event run_qr(const Engine& engine, cl_command_queue queue, const QrProblem& problem, const QrOperands& operands,
             std::span<const cl_event> waits = {}, const Choice& choice = {});

}  // namespace tilewright::verification
