// One case: a problem, and calls that solve it with operands of their own.
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

/// The operands of one call, with the reference of its results.
class Call {
 public:
  explicit Call(Random& random) : random_(random), is_together_(random.chance(25)) {}
  virtual ~Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Calls the library. `event`: what the operation's operands say of an event, where they do.
  virtual Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) = 0;
  /// What is wrong with the results that were read back; empty where nothing is.
  virtual std::string check() const = 0;
  /// Whether the call works on memory of the host and returns when it is done.
  virtual bool is_on_host() const { return false; }

  const std::vector<std::shared_ptr<Block>>& blocks() const { return blocks_; }

 protected:
  /// Memory for elements, in a block of its own or together with the call's others.
  Operand reserve(std::uint64_t elements, std::size_t element_bytes, std::uint64_t promise = 1);
  /// As much memory as a plan asks for, or none: the engine's is used then. `offset` becomes its place in bytes.
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

/// A problem that calls solve, by a plan or without.
class Problem {
 public:
  virtual ~Problem() = default;

  /// For messages.
  virtual std::string text() const = 0;
  /// Whether there is a function that does without a plan, and whether there are plans.
  virtual bool has_function() const { return true; }
  virtual bool has_plan() const { return true; }
  virtual void make_plan(const Engine&) {}
  /// A call by the plan that was made, or by the function.
  virtual std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) = 0;
};

struct Operation {
  std::string_view name;
  std::unique_ptr<Problem> (*draw)(Draw& draw);
  std::uint64_t every = 1;  ///< how many indices there are to a case
  /// Whether a CPU runs the kernels for GPUs in some cases. PoCL compiles those of LU for minutes.
  bool runs_gpu_kernels = true;
};

std::unique_ptr<Problem> draw_vector(Draw& draw);
std::unique_ptr<Problem> draw_gemv(Draw& draw);
std::unique_ptr<Problem> draw_ger(Draw& draw);
std::unique_ptr<Problem> draw_transpose(Draw& draw);
std::unique_ptr<Problem> draw_matrix_add(Draw& draw);
std::unique_ptr<Problem> draw_spmm(Draw& draw);
std::unique_ptr<Problem> draw_trsm(Draw& draw);
std::unique_ptr<Problem> draw_trsv(Draw& draw);
std::unique_ptr<Problem> draw_factorisation(Draw& draw);
std::unique_ptr<Problem> draw_lu_solution(Draw& draw);
std::unique_ptr<Problem> draw_cholesky(Draw& draw);
std::unique_ptr<Problem> draw_strassen(Draw& draw);
std::unique_ptr<Problem> draw_gemm(Draw& draw);
std::unique_ptr<Problem> draw_out_of_core(Draw& draw);
std::unique_ptr<Problem> draw_group(Draw& draw);

/// Draws how a problem is solved (function, plan, a plan that threads share; queues, waits, events), solves it and
/// checks everything. Returns what is wrong; empty where nothing is.
std::string run_problem(const Engine& engine, Problem& problem, Random& random);

}  // namespace tilewright::test::differential
