#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include "kernels/launch_sequence.hpp"
#include "spmm/device_structure.hpp"
#include "spmm/variant.hpp"

namespace tilewright {

// Holds no Engine, because the engine may hold plans.
class SpmmPlan::State {
 public:
  State(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure, const Choice& choice,
        std::span<const cl_event> waits);

  Event enqueue(cl_command_queue queue, const SpmmOperands& operands, std::span<const cl_event> waits);

  const detail::OwnProcess& process() const { return programs_->process(); }
  const SpmmProblem& asked() const { return asked_; }
  const RowStatistics& statistics() const { return core_.a; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return product_.workspace_bytes(); }
  std::uint64_t structure_bytes() const { return structure_.bytes; }

 private:
  bool compile(const Engine& engine, const detail::SpmmVariant& variant, const detail::AnyRows& rows);
  void compile_scale(const Engine& engine, const detail::KernelSource& source);
  bool multiplies(double alpha) const { return alpha != 0 && core_.a.nonzeros != 0; }
  void check_operands(const SpmmOperands& operands, bool reads_inputs, bool reads_c) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  SpmmProblem asked_;
  detail::SpmmCore core_;
  Explanation explanation_;  // also holds the configuration that was compiled
  detail::DeviceStructure structure_;

  std::mutex mutex_;           // held while arguments are set and kernels are enqueued
  bool was_enqueued_ = false;  // whether product_ was enqueued before
  detail::LaunchSequence product_;
  detail::LaunchSequence scale_;  // if nothing is multiplied
};

}  // namespace tilewright
