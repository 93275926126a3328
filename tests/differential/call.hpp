// One case: a problem, and calls that solve it with their own operands.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/draws.hpp"
#include "differential/operand.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"

namespace tilewright::test::differential {

/// The operands of one call and the reference of its results.
class Call {
 public:
  explicit Call(Random& random) : random_(random), is_together_(random.chance(25)) {}
  virtual ~Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Calls the library. `event`: the operands' request for an event, for operations that have one.
  virtual Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) = 0;
  /// Describes the errors in the downloaded results; empty if they are right.
  virtual std::string check() const = 0;
  /// Whether the call uses host memory and returns when it is finished.
  virtual bool is_on_host() const { return false; }

  const std::vector<std::shared_ptr<Block>>& blocks() const { return blocks_; }

 protected:
  /// Memory for elements, in a separate block or in one shared with the call's other operands.
  Operand reserve(std::uint64_t elements, std::size_t element_bytes, std::uint64_t promise = 1);
  /// A workspace of `bytes` bytes, or none: the engine's is used then. Sets `offset` to its position in bytes.
  Operand lend(std::uint64_t bytes, bool by_plan);
  WorkspaceRef workspace(const Operand& lent) const {
    const MatrixRef ref = lent.ref(0);
    return {ref.buffer, ref.offset};
  }

  Random random_;

 private:
  bool is_together_;
  std::vector<std::shared_ptr<Block>> blocks_;
};

/// A problem that calls solve with or without a plan.
class Problem {
 public:
  virtual ~Problem() = default;

  /// Description for messages.
  virtual std::string text() const = 0;
  /// Whether there is a function without a plan, and whether there are plans.
  virtual bool has_function() const { return true; }
  virtual bool has_plan() const { return true; }
  virtual void make_plan(const Engine&) {}
  /// Draws a call, by the prepared plan or by the function.
  virtual std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) = 0;
};

struct Operation {
  std::string_view name;
  std::unique_ptr<Problem> (*draw)(Draw& draw);
  std::uint64_t every = 1;  ///< indices per case
  /// Whether a CPU also runs kernels for GPUs. PoCL compiles those of LU for minutes.
  bool runs_gpu_kernels = true;
};

std::unique_ptr<Problem> draw_vector(Draw& draw);
std::unique_ptr<Problem> draw_gemv(Draw& draw);
std::unique_ptr<Problem> draw_ger(Draw& draw);
std::unique_ptr<Problem> draw_level2(Draw& draw);
std::unique_ptr<Problem> draw_transpose(Draw& draw);
std::unique_ptr<Problem> draw_matrix_add(Draw& draw);
std::unique_ptr<Problem> draw_spmm(Draw& draw);
std::unique_ptr<Problem> draw_trsm(Draw& draw);
std::unique_ptr<Problem> draw_trsv(Draw& draw);
std::unique_ptr<Problem> draw_trmm(Draw& draw);
std::unique_ptr<Problem> draw_symm(Draw& draw);
std::unique_ptr<Problem> draw_rank_k(Draw& draw);
std::unique_ptr<Problem> draw_factorisation(Draw& draw);
std::unique_ptr<Problem> draw_lu_solution(Draw& draw);
std::unique_ptr<Problem> draw_qr(Draw& draw);
std::unique_ptr<Problem> draw_cholesky(Draw& draw);
std::unique_ptr<Problem> draw_strassen(Draw& draw);
std::unique_ptr<Problem> draw_gemm(Draw& draw);
std::unique_ptr<Problem> draw_out_of_core(Draw& draw);
std::unique_ptr<Problem> draw_group(Draw& draw);

/// Draws how a problem is solved (function, plan, a plan that threads share; queues, waits, events), solves it and
/// checks the results. Returns a description of the errors; empty if there are none.
std::string run_problem(const Engine& engine, Problem& problem, Random& random);

}  // namespace tilewright::test::differential
