#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "gemv/vector_product.hpp"
#include "kernels/launch_sequence.hpp"
#include "runtime/memory/pending_commands.hpp"

namespace tilewright::detail {

/// The scalars and operands of one call, in the caller's order.
struct VectorCall {
  Scalar alpha = 1, beta = 0;
  std::array<MatrixRef, 3> refs{};
  WorkspaceRef workspace{};
  bool event = true;
};

/// The plan of a gemm, with copies of the vectors that it does not take as they are. Keeps no Engine: the engine keeps
/// plans. Safe to use from many threads.
class VectorProductPlan {
 public:
  VectorProductPlan(const Engine& engine, VectorProduct product, const Choice& choice);

  Event enqueue(cl_command_queue queue, const VectorCall& call, std::span<const cl_event> waits);

  const OwnProcess& process() const { return programs_->process(); }
  std::uint64_t workspace_bytes() const { return plan_.workspace_bytes(); }

 private:
  // A vector, and where its dense copy begins in copies_, in elements.
  struct Copy {
    std::size_t operand;
    std::uint64_t begin;
    std::unique_ptr<LaunchSequence> in, out;  // out: of a vector that is written
  };

  void prepare_copies(const Engine& engine);
  std::unique_ptr<LaunchSequence> launch_of(const Engine& engine, const ProductOperand& vector, bool out) const;
  void check_scalars(const VectorCall& call) const;
  void check(const VectorCall& call, bool reads_inputs) const;
  Event enqueue_with_copies(cl_command_queue queue, const VectorCall& call, GemmOperands operands,
                            std::span<const cl_event> waits, bool reads_inputs);

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  VectorProduct product_;
  GemmPlan plan_;

  std::mutex mutex_;  // held while a call with copies is enqueued
  std::vector<Copy> copied_;
  cl::Buffer copies_;
  PendingCommands users_;  // of copies_
};

}  // namespace tilewright::detail
