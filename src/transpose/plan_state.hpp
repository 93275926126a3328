#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "kernels/launch_sequence.hpp"
#include "transpose/variant.hpp"

namespace tilewright {

// Holds no Engine, because the engine holds plans.
class TransposePlan::State {
 public:
  State(const Engine& engine, const TransposeProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TransposeOperands& operands, std::span<const cl_event> waits);

  const detail::OwnProcess& process() const { return programs_->process(); }
  const TransposeProblem& asked() const { return asked_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return moves_.workspace_bytes(); }

 private:
  bool compile(const Engine& engine, const detail::TransposeVariant& variant);
  double checked_scalar(const Scalar& alpha) const;
  void check_operands(const TransposeOperands& operands, bool reads_a) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  TransposeProblem asked_;
  TransposeProblem problem_;          // normalized
  std::uint64_t promised_alignment_;  // of the offsets
  bool scales_;                       // the device can compute in the type
  Explanation explanation_;           // also holds the configuration that was compiled

  std::mutex mutex_;           // held while arguments are set and kernels are enqueued
  bool was_enqueued_ = false;  // whether moves_ was enqueued before
  detail::LaunchSequence moves_;
  detail::LaunchSequence zeros_;  // for alpha = 0
};

}  // namespace tilewright
