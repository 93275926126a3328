#pragma once

#include <array>
#include <string>

#include "kernels/plans/plan_state.hpp"
#include "spmm/device_structure.hpp"
#include "spmm/variant.hpp"

namespace tilewright {

class SpmmPlan::State : public detail::PlanState<SpmmProblem> {
 public:
  State(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure, const Choice& choice,
        std::span<const cl_event> waits);

  Event enqueue(cl_command_queue queue, const SpmmOperands& operands, std::span<const cl_event> waits);

  const RowStatistics& statistics() const { return core_.a; }
  std::uint64_t structure_bytes() const { return structure_.bytes; }

 private:
  bool compile(const Engine& engine, const detail::SpmmVariant& variant, const detail::ParameterValues& values,
               const detail::AnyRows& rows);
  void compile_scale(const Engine& engine, const detail::KernelSource& source);
  bool multiplies(double alpha) const { return alpha != 0 && core_.a.nonzeros != 0; }
  void check_operands(const SpmmOperands& operands, bool reads_inputs, bool reads_c) const;

  detail::SpmmCore core_;
  detail::DeviceStructure structure_;
  detail::LaunchSequence product_;
  detail::LaunchSequence scale_;  // if nothing is multiplied
};

}  // namespace tilewright
