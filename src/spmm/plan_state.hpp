#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "kernels/launch_sequence.hpp"
#include "spmm/device_structure.hpp"
#include "spmm/variant.hpp"

namespace tilewright {

// Keeps no Engine: the engine may keep what keeps plans.
class SpmmPlan::State {
 public:
  State(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure, const SpmmOptions& options);

  Event enqueue(cl_command_queue queue, const SpmmOperands& operands, std::span<const cl_event> waits);

  const detail::OwnProcess& process() const { return programs_->process(); }
  const SpmmProblem& asked() const { return asked_; }
  const RowStatistics& statistics() const { return core_.a; }
  const Choice& choice() const { return choice_; }
  const std::string& reason() const { return reason_; }
  std::uint64_t workspace_bytes() const { return product_.workspace_bytes(); }
  std::uint64_t structure_bytes() const { return structure_.bytes; }

 private:
  bool compile(const Engine& engine, const detail::SpmmVariant& variant, const detail::AnyRows& rows);
  void compile_scale(const Engine& engine, const detail::KernelSource& source);
  bool multiplies(double alpha) const { return alpha != 0 && core_.a.nonzeros != 0; }
  double rounded(double scalar) const;
  void check_operands(const SpmmOperands& operands, bool reads_inputs, bool reads_c) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  SpmmProblem asked_;
  detail::SpmmCore core_;
  Choice choice_;
  std::string reason_;
  detail::DeviceStructure structure_;

  std::mutex mutex_;           // held while the kernels' arguments are set and enqueued
  bool was_enqueued_ = false;  // the product, once
  detail::LaunchSequence product_;
  detail::LaunchSequence scale_;  // where nothing is multiplied
};

}  // namespace tilewright
