// The plan of a gemm() that takes vectors with any increments.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gemv/vector_product.hpp"
#include "kernels/plans/plan_state.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// The scalars and operands of one call, in the caller's order.
struct VectorCall {
  Scalar alpha = 1, beta = 0;
  std::array<MatrixRef, 3> refs{};
  WorkspaceRef workspace{};
  bool event = true;
};

/// The plan of a gemm(), and copies of the vectors that gemm() cannot read or write in place. The copies are stored in
/// the workspace, followed by the workspace of the product. Safe to use from many threads.
class VectorProductPlan : public PlanBase {
 public:
  VectorProductPlan(const Engine& engine, VectorProduct product, const Choice& choice);

  Event enqueue(cl_command_queue queue, const VectorCall& call, std::span<const cl_event> waits);

 private:
  // A vector and its dense copy.
  struct Copy {
    std::size_t operand;  // index in VectorCall::refs
    std::uint64_t begin;  // elements from the start of the workspace to the copy
    LaunchSequence in;
    std::optional<LaunchSequence> out;  // copies the result back; empty for an input
  };

  void prepare_copies(const Engine& engine);
  void check_scalars(const VectorCall& call) const;
  void check(const VectorCall& call, bool reads_inputs) const;
  Event enqueue_with_copies(cl_command_queue queue, const VectorCall& call, GemmOperands operands,
                            std::span<const cl_event> waits, bool reads_inputs);

  VectorProduct product_;
  GemmPlan plan_;
  std::vector<Copy> copied_;
  std::uint64_t copied_bytes_ = 0;
};

}  // namespace tilewright::detail
