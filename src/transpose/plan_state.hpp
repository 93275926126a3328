#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "kernels/launch_sequence.hpp"
#include "transpose/variant.hpp"

namespace tilewright {

// Keeps no Engine: the engine keeps plans.
class TransposePlan::State {
 public:
  State(const Engine& engine, const TransposeProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TransposeOperands& operands, std::span<const cl_event> waits);

  const detail::OwnProcess& process() const { return programs_->process(); }
  const TransposeProblem& asked() const { return asked_; }
  const Choice& choice() const { return choice_; }
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
  std::uint64_t promised_alignment_;  // of offsets
  bool scales_;                       // the device can compute in the type of the numbers
  Choice choice_;

  std::mutex mutex_;           // held while the kernels' arguments are set and enqueued
  bool was_enqueued_ = false;  // what is not zeros, once
  detail::LaunchSequence moves_;
  detail::LaunchSequence zeros_;  // for alpha = 0
};

}  // namespace tilewright
