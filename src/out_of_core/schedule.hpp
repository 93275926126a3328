// Chooses how a product is cut into tiles.
#pragma once

#include "out_of_core/cost_model.hpp"
#include "out_of_core/tile_memory.hpp"

namespace tilewright::detail {

/// Returns the device's limits with the budget of a call.
TileDevice tile_device(const Engine& engine, const OutOfCoreOptions& options);

/// Returns `wanted`, or the transfer that suits the device if `wanted` is automatic.
TileTransfer tile_transfer(const DeviceProfile& device, TileTransfer wanted);

/// Returns the fastest schedule that the model finds. Throws Error(out_of_memory, invalid_configuration).
TileSchedule choose_schedule(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options);

/// Returns a schedule that stages the tiles of another one in their order, for operands that cannot be used in place.
/// The other schedule's workspace stays allocated, so the budget is that much smaller. Throws Error(out_of_memory).
TileSchedule staged_instead(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options,
                            const TileSchedule& in_place);

/// Explains the product of a tile and a slab for every size in a schedule. Compiles nothing.
Explanation explain_tiles(const DeviceProfile& device, const TileForm& form, const TileSchedule& schedule);

/// Returns the smallest budget that any schedule fits into.
std::uint64_t min_memory(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options);

}  // namespace tilewright::detail
