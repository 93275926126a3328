// Speeds of devices and their links: checks of the caller's numbers, and what a slow product says about kept ones.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// The members of TransferSpeeds with their names, as error messages and stored files spell them.
inline constexpr std::array<std::pair<const char*, double TransferSpeeds::*>, 6> speed_fields{{
    {"upload", &TransferSpeeds::upload},
    {"download", &TransferSpeeds::download},
    {"host_copy", &TransferSpeeds::host_copy},
    {"flops", &TransferSpeeds::flops},
    {"tile_update", &TransferSpeeds::tile_update},
    {"launch", &TransferSpeeds::launch},
}};

/// Whether a number can be a member of TransferSpeeds: finite and not negative; 0 means unknown.
bool is_speed_or_unknown(double speed);

/// Whether a speed can be divided by and compared: finite and greater than 0.
bool is_usable_speed(double speed);

/// Limits a usable speed to 1e-100 to 1e100, so that sums and quotients of speeds stay finite.
double limited_speed(double speed);

/// Limits all usable members; all others become 0.
TransferSpeeds limited_speeds(TransferSpeeds speeds);

/// Throws Error(invalid_configuration) if a member is not finite or is negative, or if flops is 0 and `needs_flops`.
/// `name` names the speeds in the message, such as "options.speeds".
void check_speeds(const TransferSpeeds& speeds, const std::string& name, bool needs_flops = false);

/// Notes that speeds that another process kept are too low: the device was probably busy when they were measured.
/// transfer_speeds() then measures them again, but only once. Does nothing if this engine measured them.
void discard_speeds(const Engine& engine, DataType type);

}  // namespace tilewright::detail
