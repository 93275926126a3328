// Internal part of transfer_speeds().
#pragma once

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Speeds that were kept are too low: the device was probably busy when they were measured. They are measured anew when
/// next asked for, but not a second time. Does nothing where this engine measured them.
void doubt_speeds(const Engine& engine, DataType type);

}  // namespace tilewright::detail
