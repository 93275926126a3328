// Chooses how a product is cut into tiles.
#pragma once

#include "out_of_core/cost_model.hpp"
#include "out_of_core/tile_memory.hpp"

namespace tilewright::detail {

/// The device with the budget of a call.
TileDevice tile_device(const Engine& engine, const OutOfCoreOptions& options);

/// How tiles come to the device where the caller leaves it open.
TileTransfer tile_transfer(const DeviceProfile& device, TileTransfer wanted);

/// The fastest schedule that the model finds. Throws Error(out_of_memory, invalid_configuration).
TileSchedule choose_schedule(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options);

/// A schedule of the same tiles in the same order through pinned memory, for operands that cannot be used in place. The
/// workspace of the given schedule stays allocated, so the budget is that much smaller. Throws Error(out_of_memory).
TileSchedule staged_instead(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options,
                            const TileSchedule& in_place);

/// The least that any schedule takes.
std::uint64_t min_memory(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options);

}  // namespace tilewright::detail
