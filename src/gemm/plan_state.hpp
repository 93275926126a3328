#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gemm/kernel_arguments.hpp"
#include "gemm/offset_table.hpp"
#include "gemm/packed_matrix_state.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/users.hpp"
#include "runtime/workspace_arena.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

// Keeps no Engine: the engine keeps plans.
class GemmPlan::State {
 public:
  State(const Engine& engine, const GemmProblem& problem, const GemmChoice& choice);

  Event enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits);
  std::unique_ptr<PackedMatrix::State> pack(GemmInput input, cl_command_queue queue, const MatrixRef& source,
                                            std::span<const cl_event> waits);

  const detail::OwnProcess& process() const { return programs_->process(); }
  const GemmProblem& asked() const { return asked_; }
  const std::string& variant() const { return variant_; }
  const Configuration& configuration() const { return configuration_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  // A kernel with its launch; the arguments that a call cannot change are set once.
  struct Step {
    cl::Kernel kernel;
    detail::Pass pass;
  };
  using Workspaces = std::vector<detail::Workspace>;

  bool is_zero(double scalar) const;
  bool is_one(double scalar) const;
  bool compile(detail::EngineState& engine, const detail::GemmVariant& variant);
  bool allows(const cl::Kernel& kernel, const std::vector<std::size_t>& local) const;
  void allocate(const DeviceProfile& device);
  const Step* preparation_of(detail::Operand input) const;
  std::string form_of(detail::Operand input) const;
  std::string description_of(detail::Operand input) const;
  detail::Operand operand_of(GemmInput input) const;
  const PackedMatrix::State* checked(const PackedMatrix* packed, GemmInput input) const;
  void append_packing(const PackedMatrix::State& packed, OperandName operand, std::vector<cl_event>& waits) const;
  void bind_workspaces(detail::CallValues& call, cl_mem buffer, std::uint64_t offset) const;
  Event launch(cl_command_queue queue, detail::CallValues& call, const GemmOperands& operands,
               const PackedMatrix::State* packed_a, const PackedMatrix::State* packed_b,
               std::span<const cl_event> waits, bool reads_operands);
  Event enqueue_step(cl_command_queue queue, const Step& step, detail::CallValues& call,
                     const std::vector<cl_event>& waits, std::vector<cl::Event>& parts) const;
  Event enqueue_steps(cl_command_queue queue, detail::CallValues& call, const GemmOperands& operands,
                      const PackedMatrix::State* packed_a, const PackedMatrix::State* packed_b,
                      std::span<const cl_event> waits, bool reads_operands, std::vector<cl::Event>& parts);

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  GemmProblem asked_;
  detail::FixedValues fixed_;
  bool swapped_;
  std::string variant_;
  Configuration configuration_;
  cl::Program program_;

  Workspaces workspaces_;
  std::vector<cl::Memory> images_;                // as many as workspaces; null where that is part of a buffer
  std::vector<std::uint64_t> workspace_offsets_;  // in elements
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;           // held while the kernels' arguments are set and enqueued
  bool was_enqueued_ = false;  // all steps, once
  std::vector<Step> steps_;
  std::optional<detail::OffsetTable> offsets_;
  detail::Users users_;    // of the images and offsets
  detail::Users orphans_;  // commands of calls that failed before all of theirs were enqueued
};

}  // namespace tilewright
