// What a schedule takes of the device's memory.
#pragma once

#include <cstdint>
#include <functional>

#include "out_of_core/tile_form.hpp"
#include "tilewright/gemm_workspace.hpp"

namespace tilewright::detail {

/// The device as schedules see it.
struct TileDevice {
  std::uint64_t max_allocation = 0;
  std::uint64_t memory = 0;  ///< the budget
};

/// Bytes of the largest slab of A and of B, and of the largest tile of C, as they lie on the device.
struct TileBytes {
  std::uint64_t a = 0, b = 0, c = 0;
  std::uint64_t row = 0;  ///< of the longest row of any of them

  std::uint64_t largest() const;
};
TileBytes tile_bytes(const TileForm& form, const TileSchedule& schedule);

/// Whether each slab and tile can be allocated, or made of the caller's memory.
bool can_be_allocated(const TileForm& form, const TileDevice& device, const TileSchedule& schedule);

/// Sets how much pinned memory there is: as much as helps, but a small part of the budget. Nothing where kernels use
/// the caller's memory.
void set_staging(const TileForm& form, const TileDevice& device, TileSchedule& schedule);

/// Sets how many slabs and tiles the device keeps, in so much memory: enough to upload ahead, then more of the operand
/// that the next tiles use again. False where not even one of each fits.
bool set_slots(const TileForm& form, const TileDevice& device, std::uint64_t memory, TileSchedule& schedule);

/// The product of a tile and a slab, for every size that the schedule's tiles have.
void for_each_tile_problem(const TileForm& form, const TileSchedule& schedule,
                           const std::function<void(const GemmProblem&)>& function);

/// The memory of plans that exist at the same time: they share the workspace and the zeros.
GemmMemory memory_together(const GemmMemory& one, const GemmMemory& other);

/// Bytes that the plans of all these products take together.
std::uint64_t tile_workspace(const Engine& engine, const TileForm& form, const TileSchedule& schedule);

}  // namespace tilewright::detail
