// The speeds of a device beside tilewright/out_of_core.hpp, which gives them.
#pragma once

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Speeds that another process kept were too low: others had the device when they were measured. They are measured anew
/// when next asked for. Does nothing where this process measured them.
void doubt_speeds(const Engine& engine, DataType type);

}  // namespace tilewright::detail
