// Vector operations: the first level of BLAS, with increments of either sign, and in batches.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/plan_pointer.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// The functions of vectors. Each one has a C++ function of the same name.
enum class VectorFunction {
  axpy,      ///< y = alpha x + y
  axpby,     ///< y = alpha x + beta y
  scal,      ///< x = alpha x
  hadamard,  ///< z = alpha x y + beta z, element by element
  copy,      ///< y = x
  swap,      ///< exchanges x and y
  dot,       ///< result = sum of x y
  dotc,      ///< result = sum of conj(x) y
  nrm2,      ///< result = sqrt(sum of |x|^2)
  asum,      ///< result = sum of |re x| + |im x|
  iamax,     ///< result = index of the largest |re x| + |im x|
};

/// Returns the function's name, such as "axpy"; "unknown" for a value that is no VectorFunction.
TILEWRIGHT_API std::string_view to_string(VectorFunction function);

/// Accuracy of the sums of dot and dotc. u is the roundoff of accumulator_of(type), and gamma(n) = n u / (1 - n u).
enum class Summation {
  plain,  ///< |error| <= gamma(n) |x||y|; 2 n instead of n for complex numbers
  /// |error| <= u |x y| + gamma(n)^2 |x||y|; 2 n instead of n for complex numbers. The result is as accurate as if
  /// summed with twice the bits and then rounded (Ogita, Rump and Oishi, "Accurate sum and dot product", 2005).
  compensated,
};

/// The vectors of one call, or of a batch of calls. x, y and z have n elements each.
///
/// Element i of x is stored i * incx elements after the offset of x. With a negative increment the vector is stored
/// backwards, as in BLAS: its element i is (n - 1 - i) * |incx| elements after the offset. y and z have increments of
/// their own. Increments and strides of vectors that a function does not have are ignored.
struct VectorProblem {
  DataType type = DataType::f32;  ///< element type of x, y and z: f16, bf16, f32, f64, c64 or c128; any for copy, swap
  std::uint64_t n = 0;            ///< elements of each vector
  std::int64_t incx = 1;          ///< elements from one element of x to the next; not 0
  std::int64_t incy = 1;          ///< elements from one element of y to the next; not 0
  std::int64_t incz = 1;          ///< elements from one element of z to the next; not 0
  Summation summation = Summation::plain;  ///< accuracy of dot and dotc; ignored by the other functions
  Batch batch{};  ///< number of calls, and the distances between consecutive x, y, z and results

  friend bool operator==(const VectorProblem&, const VectorProblem&) = default;
};

/// The data of one call. Operands and scalars that the function does not have are ignored.
///
/// Scalars are rounded to accumulator_of(type). The vector that a function writes may be one that it reads, with the
/// same offset and increment; swap takes no such pair.
struct VectorOperands {
  Scalar alpha = 1;    ///< of axpy, axpby, scal and hadamard; 0: the vectors that it scales are not read
  MatrixRef x{};       ///< the first vector; scal and swap write it
  Scalar beta = 0;     ///< of axpby and hadamard; 0: the vector that it scales is not read
  MatrixRef y{};       ///< the second vector; axpy, axpby, copy and swap write it
  MatrixRef z{};       ///< the vector that hadamard writes
  MatrixRef result{};  ///< the element that dot, dotc, nrm2, asum and iamax write; shares no memory with a vector

  /// Device memory for this call alone, at least VectorPlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A vector function and problem with its kernels compiled. Enqueue it as often as you like, from any thread.
///
/// Accuracy: see the function of the same name. f16 and bf16 are computed in f32, and each result is rounded once more
/// when it is stored in a vector. NaN and infinity in the
/// elements that are read propagate. The order in which a reduction adds depends on the device, the problem and the
/// alignment of the vectors only, so the same call gives the same bits.
class VectorPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  ///
  /// Throws Error with
  ///   unsupported_type      the device or the function lacks `type`
  ///   invalid_increment     an increment of a vector that the function has is 0
  ///   invalid_batch         a stride belongs to an operand that no vector function has
  ///   size_overflow         a size in bytes does not fit into 64 bits
  ///   overlapping_operands  the batch strides make outputs share elements
  ///   out_of_memory         the device cannot allocate the workspace
  ///   build_failed          the driver rejected a kernel; the message holds the end of its log
  TILEWRIGHT_API VectorPlan(const Engine& engine, VectorFunction function, const VectorProblem& problem);
  TILEWRIGHT_API ~VectorPlan();
  TILEWRIGHT_API VectorPlan(VectorPlan&&) noexcept;
  TILEWRIGHT_API VectorPlan& operator=(VectorPlan&&) noexcept;

  /// Enqueues the function after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// `operands.event` is false. A reduction of a long vector takes two launches, any other call takes one; the event's
  /// own profile is that of the last launch, and Event::times() reports all of them.
  ///
  /// All arguments are checked, x before y before z before the result before the workspace, before anything is
  /// enqueued. If n is 0, only results are written, and all vectors may be null.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context
  ///   invalid_scalar                    alpha or beta has an imaginary part although the type is real
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   overlapping_operands              the output shares elements with another operand
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const VectorOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API VectorFunction function() const;
  [[nodiscard]] TILEWRIGHT_API const VectorProblem& problem() const;
  /// Which kernels run on how many work-groups. A vector function has one implementation, so there are no candidates.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Device memory that a call needs besides its operands: 0, except for reductions of long vectors.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

// The functions below plan and enqueue in one call. The engine keeps recent plans, so a repeated problem costs a
// look-up and its launches. Each function enqueues its work after `waits`, and returns an event that covers it.

/// Adds a multiple of a vector: y = alpha x + y. One call plans and enqueues; the engine keeps recent plans.
///
/// alpha = 0 leaves y unchanged, and x is not read and may be null. x and y may be the same vector.
/// Error: at most gamma(2) (|alpha||x| + |y|) per element, gamma(4) for complex numbers.
/// Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event axpy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Adds multiples of two vectors: y = alpha x + beta y. One call plans and enqueues; the engine keeps recent plans.
///
/// alpha = 0: x is not read and may be null. beta = 0: y is not read. x and y may be the same vector.
/// Error: at most gamma(2) (|alpha||x| + |beta||y|) per element, gamma(4) for complex numbers.
/// Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event axpby(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                           const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Scales a vector: x = alpha x. One call plans and enqueues; the engine keeps recent plans.
///
/// alpha = 0: x is not read and becomes zero, even where it was NaN. alpha = 1 leaves x unchanged.
/// Error: at most u |alpha||x| per element, gamma(2) for complex numbers, where u is the roundoff of the type.
/// Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event scal(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Multiplies two vectors element by element: z = alpha x y + beta z. One call plans and enqueues; the engine keeps
/// recent plans.
///
/// alpha = 0: x and y are not read and may be null. beta = 0: z is not read. z may be the same vector as x or y.
/// Error: at most gamma(3) (|alpha||x||y| + |beta||z|) per element, gamma(6) for complex numbers.
/// Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event hadamard(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                              const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Copies a vector of any type bit by bit: y = x. One call plans and enqueues; the engine keeps recent plans.
///
/// Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event copy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Exchanges x and y, vectors of any type, bit by bit. One call plans and enqueues; the engine keeps recent plans.
///
/// x and y must not share elements. Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event swap(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Computes the dot product, result = sum of x y, without conjugation (BLAS's dotu for complex numbers). One call plans
/// and enqueues; the engine keeps recent plans.
///
/// `operands.result` is one element of accumulator_of(type) in device memory; 0 if n is 0.
/// Error: see Summation, which VectorProblem::summation selects. Throws what VectorPlan's constructor and enqueue()
/// throw.
TILEWRIGHT_API Event dot(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                         const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Computes the conjugated dot product, result = sum of conj(x) y; for real numbers the same as dot(). One call plans
/// and enqueues; the engine keeps recent plans.
///
/// `operands.result` is one element of accumulator_of(type) in device memory; 0 if n is 0.
/// Error: see Summation, which VectorProblem::summation selects. Throws what VectorPlan's constructor and enqueue()
/// throw.
TILEWRIGHT_API Event dotc(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Computes the Euclidean norm, result = sqrt(sum of |x|^2). One call plans and enqueues; the engine keeps recent
/// plans.
///
/// Overflows and underflows only if the norm itself does (Blue, "A portable Fortran program to find the Euclidean norm
/// of a vector", 1978). `operands.result` is one f64 for f64 and c128, otherwise one f32, in device memory; 0 if n is
/// 0. Error: at most gamma(n + 4) times the norm. Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event nrm2(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Computes the sum of magnitudes, result = sum of |re x| + |im x|. One call plans and enqueues; the engine keeps
/// recent plans.
///
/// `operands.result` is one f64 for f64 and c128, otherwise one f32, in device memory; 0 if n is 0.
/// Error: at most gamma(n) times the sum, gamma(2 n) for complex numbers. Throws what VectorPlan's constructor and
/// enqueue() throw.
TILEWRIGHT_API Event asum(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                          const VectorOperands& operands, std::span<const cl_event> waits = {});

/// Finds the element with the largest |re x| + |im x|: result = its index, counted from 0. One call plans and enqueues;
/// the engine keeps recent plans.
///
/// Of equal elements the first one counts, and the first NaN counts as larger than any number. `operands.result` is one
/// 64-bit integer in device memory; -1 if n is 0. Throws what VectorPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event iamax(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
                           const VectorOperands& operands, std::span<const cl_event> waits = {});

}  // namespace tilewright
