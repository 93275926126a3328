// The compiled products of a schedule.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>

#include "out_of_core/tile_form.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm_operands.hpp"

namespace tilewright {
class GemmPlan;
}

namespace tilewright::detail {

/// Enqueues a product after events of the worker, and returns its event.
/// Throws PartlyEnqueued if commands that may write C were enqueued before the failure.
cl::Event enqueue_product(const GemmPlan& plan, cl_command_queue queue, const GemmOperands& operands,
                          std::span<const cl_event> waits);

/// The compiled products of a tile and a slab, for every size in a schedule.
class TilePlans {
 public:
  TilePlans(const Engine& engine, const TileForm& form, const TileSchedule& schedule);
  ~TilePlans();

  /// Enqueues a product of a size in the schedule, and returns its event.
  /// Throws PartlyEnqueued if commands that may write C were enqueued before the failure.
  cl::Event enqueue(const TileSizes& sizes, const cl::CommandQueue& queue, const GemmOperands& operands,
                    std::span<const cl_event> waits);

  /// Returns plans with equal variants and parameters for matrices that begin anywhere in their buffers, not only at
  /// multiples of tile_alignment. The first call compiles them.
  TilePlans& unaligned();

 private:
  explicit TilePlans(const Engine& engine);

  Engine engine_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::unique_ptr<GemmPlan>> plans_;
  std::unique_ptr<TilePlans> unaligned_;
};

}  // namespace tilewright::detail
