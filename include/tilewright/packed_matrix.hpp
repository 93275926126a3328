// A matrix that is copied once for many products.
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

/// Which operand of a product a PackedMatrix stands for.
enum class GemmInput { a, b };

/// A copy of A or B, such as the weights of a network, in the form that a plan's kernel reads: what the plan would pack
/// in each call is packed once, and what it reads as it is stored is copied as it is stored.
///
/// Fits every plan of the same context, device, type and variant whose problem stores this operand with the same sizes
/// and transpose, and whose configuration packs alike; GemmPlan::enqueue throws Error(unsuitable_packed_matrix) for
/// others, and Error(failed_wait) where the packing has failed. Plans for other m (or n) are sure to fit where they are
/// given this plan's variant and configuration. Safe to use from many threads. May outlive the plan and the matrix it
/// was made from.
class PackedMatrix {
 public:
  /// Enqueues the copying after `waits`; calls that use the packed matrix wait for it on the device.
  /// `source` must stay as it is until ready(). Throws what GemmPlan::enqueue throws for an operand and a queue, and
  /// Error(invalid_batch) where the plan's batch is by offsets, Error(unsuitable_packed_matrix) where its problem is
  /// complex: such plans prepare their operands in each call.
  TILEWRIGHT_API PackedMatrix(const GemmPlan& plan, GemmInput input, cl_command_queue queue, const MatrixRef& source,
                              std::span<const cl_event> waits = {});
  TILEWRIGHT_API ~PackedMatrix();
  TILEWRIGHT_API PackedMatrix(PackedMatrix&&) noexcept;
  TILEWRIGHT_API PackedMatrix& operator=(PackedMatrix&&) noexcept;

  /// Complete when the source is no longer read. Belongs to the packed matrix.
  TILEWRIGHT_API cl_event ready() const;
  /// Device memory that it holds.
  TILEWRIGHT_API std::uint64_t bytes() const;

 private:
  friend class GemmPlan;
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
