// Memory that a schedule needs on the device.
#pragma once

#include <cstdint>
#include <functional>

#include "out_of_core/tile_form.hpp"
#include "tilewright/gemm_memory.hpp"

namespace tilewright::detail {

/// Limits of the device and of the call.
struct TileDevice {
  std::uint64_t max_allocation = 0;  ///< bytes of the largest buffer
  std::uint64_t memory = 0;          ///< budget of the call
};

/// Bytes of the largest slab of A and of B and of the largest tile of C, as stored on the device.
struct TileBytes {
  std::uint64_t a = 0, b = 0, c = 0;
  std::uint64_t row = 0;  ///< bytes of the longest row of any of them

  std::uint64_t largest() const;
};
TileBytes tile_bytes(const TileForm& form, const TileSchedule& schedule);

/// Whether the device can make a buffer for each slab and tile, also over the caller's memory.
bool can_be_allocated(const TileForm& form, const TileDevice& device, const TileSchedule& schedule);

/// Sets the amount of pinned memory: as much as helps, but a small part of the budget. None if the transfer is in
/// place.
void set_staging(const TileForm& form, const TileDevice& device, TileSchedule& schedule);

/// Sets how many slabs and tiles the device holds in `memory` bytes: enough to upload ahead, then more of the operand
/// that the next tiles reuse. Returns false if not even one of each fits.
bool set_slots(const TileForm& form, const TileDevice& device, std::uint64_t memory, TileSchedule& schedule);

/// Calls function(problem) with the product of a tile and a slab, for every size in the schedule.
void for_each_tile_problem(const TileForm& form, const TileSchedule& schedule,
                           const std::function<void(const GemmProblem&)>& function);

/// Returns the memory of plans that exist at the same time: they share the workspace and the zeros.
GemmMemory memory_together(const GemmMemory& one, const GemmMemory& other);

/// Returns the bytes of device memory that the plans of all these products need, in addition to the tiles.
std::uint64_t tile_workspace(const Engine& engine, const TileForm& form, const TileSchedule& schedule);

}  // namespace tilewright::detail
