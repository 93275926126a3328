// General matrix product: C = alpha op(A) op(B) + beta C.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright {

/// One product to do. op(A) is m x k, op(B) is k x n, C is m x n.
/// Sizes, leading dimensions and offsets are in elements.
struct GemmProblem {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  /// Elements from one row (row-major) or column (column-major) of the stored matrix to the next; 0 means densely
  /// stored.
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  std::uint64_t ldc = 0;
  /// A promise that the offsets of A, B and C are multiples of this many elements, so that kernels may load whole
  /// vectors. GemmPlan::enqueue refuses offsets that break it; gemm() lowers it by itself. A power of two.
  std::uint64_t offset_alignment = 16;

  friend bool operator==(const GemmProblem&, const GemmProblem&) = default;
};

/// The matrices and scalars of one call. In an f32 problem the scalars are rounded to float.
/// beta = 0: C is not read. alpha = 0 or k = 0: A and B are not read and may be null.
struct GemmOperands {
  double alpha = 1;
  MatrixRef a;
  MatrixRef b;
  double beta = 0;
  MatrixRef c;
};

/// Forces a variant by name, and values of its parameters; what is left empty the selector chooses.
struct GemmChoice {
  std::string variant;
  Configuration configuration;
};

struct GemmParameter {
  std::string name;
  std::string meaning;
  std::vector<std::int64_t> values;  ///< what the tuner tries; other values are fine where the constraints hold
};

struct GemmVariantInfo {
  std::string name;
  std::string summary;
  std::vector<GemmParameter> parameters;
  /// Strategies worth showing beside the default: changes to the default configuration.
  std::vector<Configuration> strategies;
};

/// Every variant, from the simplest to the fastest.
std::vector<GemmVariantInfo> gemm_variants();

struct GemmSupport {
  bool supported = false;
  std::string reason;  ///< why not
};

/// Whether a variant can do a problem on a device. Throws Error(unknown_variant).
GemmSupport gemm_support(const DeviceProfile& device, std::string_view variant, const GemmProblem& problem);

struct GemmCandidate {
  std::string variant;
  Configuration configuration;
  bool supported = false;
  std::string reason;  ///< why it is not supported or not chosen, or why it was chosen
};

struct GemmExplanation {
  std::string variant;
  Configuration configuration;
  std::string reason;
  std::vector<GemmCandidate> candidates;
};

/// What gemm() would run and why; compiles nothing.
/// Throws what GemmPlan's constructor throws for a problem or a choice that cannot be done.
GemmExplanation explain_gemm(const DeviceProfile& device, const GemmProblem& problem, const GemmChoice& choice = {});

/// A problem with its variant, configuration and compiled kernels, ready to be enqueued as often as wanted.
/// Safe to use from many threads. Calls of one plan that needs a workspace run one after another on the device.
class GemmPlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store.
  /// Throws Error(unsupported_type, unsupported_variant, unknown_variant, unknown_parameter, invalid_configuration,
  /// invalid_leading_dimension, size_overflow, build_failed, out_of_memory).
  GemmPlan(const Engine& engine, const GemmProblem& problem, const GemmChoice& choice = {});
  ~GemmPlan();
  GemmPlan(GemmPlan&&) noexcept;
  GemmPlan& operator=(GemmPlan&&) noexcept;

  /// Enqueues the product behind `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued; never blocks, never allocates device memory. The first call may
  /// also save the compiled program, see Engine::save_programs().
  /// Everything is checked before anything is enqueued: throws Error(null_object, foreign_object, invalid_buffer,
  /// buffer_too_small, invalid_offset, overlapping_operands, device_lost, out_of_memory, opencl_failure).
  Event enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits = {}) const;

  const GemmProblem& problem() const;
  const std::string& variant() const;
  const Configuration& configuration() const;
  /// Device memory that the plan holds beside the operands.
  std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and a launch.
/// Throws what GemmPlan's constructor and GemmPlan::enqueue throw.
Event gemm(const Engine& engine, cl_command_queue queue, const GemmProblem& problem, const GemmOperands& operands,
           std::span<const cl_event> waits = {}, const GemmChoice& choice = {});

}  // namespace tilewright
