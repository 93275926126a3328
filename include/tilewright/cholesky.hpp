// Cholesky's factorisation of symmetric positive definite matrices, and the systems of equations that it solves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright {

/// One matrix to factor, or a batch of them: A = L L^T where the lower triangle is given, or A = U^T U. The other
/// triangle is neither read nor written. Sizes, leading dimensions, strides and offsets are in elements.
struct PotrfProblem {
  DataType type = DataType::f32;  ///< f32 or f64
  Layout layout = Layout::row_major;
  Uplo uplo = Uplo::lower;
  std::uint64_t n = 0;
  std::uint64_t lda = 0;                ///< as TrsmProblem::lda
  std::uint64_t offset_alignment = 16;  ///< of A, as TrsmProblem::offset_alignment; potrf() lowers it by itself
  Batch batch{};

  friend bool operator==(const PotrfProblem&, const PotrfProblem&) = default;
};

/// The matrices of one call. A is overwritten with its factor.
struct PotrfOperands {
  MatrixRef a{};
  /// One integer of 64 bits for each matrix: 0, or the order of the first leading minor that is not positive definite,
  /// also where that is a NaN. The rows of L before it are then those of the factor, and the others of no use.
  MatrixRef info{};
  /// PotrfPlan::workspace_bytes() for this call alone, as GemmOperands::workspace.
  WorkspaceRef workspace{};
  bool event = true;  ///< as TrsmOperands::event
};

/// A problem with its compiled kernels and the plans of its steps, ready to be enqueued as often as wanted. Safe to use
/// from many threads. |A - L L^T| <= gamma_(n+3) |L| |L^T| element by element, for diagonals of any size; a result that
/// is subnormal adds at most half of the smallest subnormal to its error. On GPUs, where diagonal elements are below
/// 2^-40 or above 2^40 (f64: 2^-300, 2^300), off-diagonal elements may lose up to u sqrt(a_ii a_jj).
class PotrfPlan {
 public:
  /// `products` is the choice for the products between blocks, see GemmPlan.
  /// Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, overlapping_operands, invalid_offset),
  /// and what GemmPlan's constructor throws.
  TILEWRIGHT_API PotrfPlan(const Engine& engine, const PotrfProblem& problem, const Choice& products = {});
  TILEWRIGHT_API ~PotrfPlan();
  TILEWRIGHT_API PotrfPlan(PotrfPlan&&) noexcept;
  TILEWRIGHT_API PotrfPlan& operator=(PotrfPlan&&) noexcept;

  /// As TrsmPlan::enqueue: A is checked before info, which is operand `result` of an Error, before the workspace. The
  /// event's own profile is that of the last of several launches; Event::times() gives the times of all launches.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const PotrfOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const PotrfProblem& problem() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans. Throws what PotrfPlan's constructor and enqueue throw.
TILEWRIGHT_API Event potrf(const Engine& engine, cl_command_queue queue, const PotrfProblem& problem,
                           const PotrfOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& products = {});

/// Systems A X = B with A factored by potrf(): B is n x nrhs and is overwritten with X.
struct PotrsProblem {
  DataType type = DataType::f32;      ///< f32 or f64
  Layout layout = Layout::row_major;  ///< of both matrices
  Uplo uplo = Uplo::lower;            ///< that holds the factor
  std::uint64_t n = 0;
  std::uint64_t nrhs = 0;
  std::uint64_t lda = 0;                ///< as TrsmProblem::lda
  std::uint64_t ldb = 0;                ///< as TrsmProblem::ldb
  std::uint64_t offset_alignment = 16;  ///< as TrsmProblem::offset_alignment
  Batch batch{};

  friend bool operator==(const PotrsProblem&, const PotrsProblem&) = default;
};

/// The matrices of one call.
struct PotrsOperands {
  MatrixRef a{};
  MatrixRef b{};
  WorkspaceRef workspace{};  ///< PotrsPlan::workspace_bytes(), as GemmOperands::workspace
  bool event = true;         ///< as TrsmOperands::event
};

/// Two triangular systems, one after the other. Safe to use from many threads.
class PotrsPlan {
 public:
  /// Throws what TrsmPlan's constructor throws.
  TILEWRIGHT_API PotrsPlan(const Engine& engine, const PotrsProblem& problem, const Choice& products = {});
  TILEWRIGHT_API ~PotrsPlan();
  TILEWRIGHT_API PotrsPlan(PotrsPlan&&) noexcept;
  TILEWRIGHT_API PotrsPlan& operator=(PotrsPlan&&) noexcept;

  /// As TrsmPlan::enqueue. The event's own profile is that of the last of several launches; Event::times() gives the
  /// times of all launches.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const PotrsOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const PotrsProblem& problem() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launches in one call; the engine keeps recent plans.
TILEWRIGHT_API Event potrs(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem,
                           const PotrsOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& products = {});

/// Factors A as potrf() does, then solves A X = B as potrs() does. A is overwritten with its factor and B with X, which
/// is undefined if info is not 0. A batch of more than one matrix needs a stride_a other than 0. A, info and B must not
/// share elements. Everything is checked before anything is enqueued, in the order A, info, B. The workspace is the
/// engine's. The event's own profile is that of the last launch of the solution; Event::times() gives the times of all
/// launches. Throws what potrf() and potrs() throw.
TILEWRIGHT_API Event posv(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem, MatrixRef a,
                          MatrixRef b, MatrixRef info, std::span<const cl_event> waits = {},
                          const Choice& products = {});

}  // namespace tilewright
