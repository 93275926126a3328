// Operations on vectors: the first level of BLAS, with any increments, and in batches.
#pragma once

#include <cstdint>
#include <span>

#include "tilewright/batch.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// The vectors of a call: n elements each, `inc` elements from one to the next. With a negative increment the vector
/// begins at its far end, as in BLAS: element i of x lies (n - 1 - i) |incx| after the offset. 0 is refused. What an
/// operation does not take is ignored.
struct VectorProblem {
  DataType type = DataType::f32;
  std::uint64_t n = 0;
  std::int64_t incx = 1;
  std::int64_t incy = 1;
  std::int64_t incz = 1;
  Batch batch{};

  friend bool operator==(const VectorProblem&, const VectorProblem&) = default;
};

// All operations work after `waits` on a queue of the engine's context and device, in-order or out-of-order. They
// return an event that covers everything enqueued, never block, and allocate no device memory but for a larger problem
// than before. Everything is checked before anything is enqueued, x before y before z before the result. They throw
// Error(unsupported_type, invalid_increment, invalid_scalar, size_overflow, null_object, foreign_object, failed_wait,
// invalid_buffer, buffer_too_small, overlapping_operands, build_failed, device_lost, out_of_memory, opencl_failure),
// whose operand() is the one that is wrong. The engine keeps the kernels of recent problems, so that a repeated problem
// costs a look-up and a launch, or two launches for a long vector that is reduced to a number. The event's own profile
// is that of the last launch; Event::times() gives the times of both.
//
// Numbers are f16, bf16, f32, f64, c64 and c128; f16 and bf16 are computed with in float, and each result is rounded
// once where it is stored. Scalars are rounded to accumulator_of(type); only those of complex problems may have an
// imaginary part. A scalar that is 0 then stands for "is not read": what it would multiply may be null, and no NaN
// comes from there. The vector that is written may be one that is read, element for element; other overlaps are
// refused. With n = 0 nothing is read or written but results.

/// y = alpha x + y. alpha = 0 leaves y as it is.
TILEWRIGHT_API Event axpy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha,
                          MatrixRef x, MatrixRef y, std::span<const cl_event> waits = {});

/// y = alpha x + beta y.
TILEWRIGHT_API Event axpby(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha,
                           MatrixRef x, Scalar beta, MatrixRef y, std::span<const cl_event> waits = {});

/// x = alpha x. alpha = 0 writes zeros, over a NaN, too.
TILEWRIGHT_API Event scal(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha,
                          MatrixRef x, std::span<const cl_event> waits = {});

/// z = alpha x y + beta z, element by element.
TILEWRIGHT_API Event hadamard(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha,
                              MatrixRef x, MatrixRef y, Scalar beta, MatrixRef z, std::span<const cl_event> waits = {});

/// y = x, bit by bit, in every type.
TILEWRIGHT_API Event copy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                          MatrixRef y, std::span<const cl_event> waits = {});

/// Exchanges x and y, bit by bit, in every type. They must not overlap.
TILEWRIGHT_API Event swap(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                          MatrixRef y, std::span<const cl_event> waits = {});

// Reductions write one element of `result`, in device memory, which must be no part of what they read. In which order
// they add depends on n, the increments, the alignment of the vectors and the device alone: the same call gives the
// same bits.

enum class Summation {
  plain,        ///< |error| <= gamma_n |x||y|
  compensated,  ///< as if computed in twice the digits and then rounded (Ogita, Rump and Oishi, 2005)
};

/// The sum of x y; of complex numbers without conjugation (dotu). The result is of accumulator_of(type); 0 where n = 0.
TILEWRIGHT_API Event dot(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                         MatrixRef y, MatrixRef result, Summation summation = Summation::plain,
                         std::span<const cl_event> waits = {});

/// The sum of conj(x) y; of real numbers the same as dot.
TILEWRIGHT_API Event dotc(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                          MatrixRef y, MatrixRef result, Summation summation = Summation::plain,
                          std::span<const cl_event> waits = {});

/// The root of the sum of |x|^2, which overflows or vanishes only where itself does (Blue, 1978). The result is real:
/// f32, and of f64 and c128 f64; 0 where n = 0.
TILEWRIGHT_API Event nrm2(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                          MatrixRef result, std::span<const cl_event> waits = {});

/// The sum of |x|, and of complex numbers of |re x| + |im x|. The result is as nrm2's.
TILEWRIGHT_API Event asum(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                          MatrixRef result, std::span<const cl_event> waits = {});

/// The index, from 0, of the first element whose |x|, or |re x| + |im x|, is the largest, or of the first NaN where
/// there is one. The result is an integer of 64 bits; -1 where n = 0.
TILEWRIGHT_API Event iamax(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x,
                           MatrixRef result, std::span<const cl_event> waits = {});

}  // namespace tilewright
