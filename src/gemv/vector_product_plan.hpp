// The plan of a gemm() that takes vectors with any increments.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "gemv/vector_product.hpp"
#include "kernels/launch_sequence.hpp"
#include "runtime/memory/workspace_arena.hpp"

namespace tilewright::detail {

/// The scalars and operands of one call, in the caller's order.
struct VectorCall {
  Scalar alpha = 1, beta = 0;
  std::array<MatrixRef, 3> refs{};
  WorkspaceRef workspace{};
  bool event = true;
};

/// The plan of a gemm(), and copies of the vectors that gemm() cannot read or write in place. The copies are stored in
/// the workspace, followed by the workspace of the product. Keeps no Engine, because the engine keeps plans. Safe to
/// use from many threads.
class VectorProductPlan {
 public:
  VectorProductPlan(const Engine& engine, VectorProduct product, const Choice& choice);

  Event enqueue(cl_command_queue queue, const VectorCall& call, std::span<const cl_event> waits);

  const OwnProcess& process() const { return programs_->process(); }
  std::uint64_t workspace_bytes() const { return copied_bytes_ + plan_.workspace_bytes(); }

  /// Made by the first call, because it reads the records again.
  const Explanation& explanation() const { return explanation_; }

 private:
  // A vector and its dense copy.
  struct Copy {
    std::size_t operand;                      // index in VectorCall::refs
    std::uint64_t begin;                      // elements from the start of the workspace to the copy
    std::unique_ptr<LaunchSequence> in, out;  // out: copies the result back; null for an input
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
  std::shared_ptr<WorkspaceArena> arena_;
  VectorProduct product_;
  GemmPlan plan_;
  Explanation explanation_;

  std::mutex mutex_;  // held while a call with copies is enqueued
  std::vector<Copy> copied_;
  std::uint64_t copied_bytes_ = 0;
};

}  // namespace tilewright::detail
