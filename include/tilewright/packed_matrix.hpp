// Matrices that are packed once for many products, such as the weights of a network.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// The operand of a product that a PackedMatrix replaces.
enum class GemmInput { a, b };

/// A copy of A or B in the form that a plan's kernel reads. A matrix that the plan would pack in every call is packed
/// once; a matrix that the kernel reads as it is stored is copied.
///
/// Pass it as GemmOperands::packed_a or packed_b. It fits every plan of the same context, device, type and variant that
/// stores and packs this operand in the same way. Sizes and transposes of the operand must be equal. Other plans throw
/// Error(unsuitable_packed_matrix). A plan for another m (or n) fits if it is made with the variant and configuration
/// of this plan's explanation(). Safe to use from many threads. May outlive the plan and the source matrix.
class PackedMatrix {
 public:
  /// Enqueues the packing of `source` on `queue` after `waits`. Calls that use the packed matrix wait for it on the
  /// device. `source` must stay unchanged until ready() completes. Allocates the device memory of the copy.
  ///
  /// Throws Error with
  ///   null_object, foreign_object       a handle is null or belongs to another context or device
  ///   invalid_buffer, buffer_too_small  `source` cannot be read, or is too short
  ///   invalid_offset                    the offset breaks the promise of GemmProblem::offset_alignment
  ///   invalid_batch                     the plan's batch is by offsets
  ///   unsuitable_packed_matrix          the plan's type is complex: such plans prepare their operands in each call
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API PackedMatrix(const GemmPlan& plan, GemmInput input, cl_command_queue queue, const MatrixRef& source,
                              std::span<const cl_event> waits = {});
  TILEWRIGHT_API ~PackedMatrix();
  TILEWRIGHT_API PackedMatrix(PackedMatrix&&) noexcept;
  TILEWRIGHT_API PackedMatrix& operator=(PackedMatrix&&) noexcept;

  /// An event that completes when the source is no longer read. The packed matrix keeps its reference.
  [[nodiscard]] TILEWRIGHT_API cl_event ready() const;
  /// Bytes of device memory that the packed matrix holds.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t bytes() const;

 private:
  friend class GemmPlan;
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
