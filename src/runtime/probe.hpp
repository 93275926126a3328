// Probes of device abilities that no query reports.
#pragma once

#include "tilewright/engine.hpp"

namespace tilewright::detail {

class EngineState;

/// Builds and runs the kernels that show whether the device has an ability.
Probe run_probe(EngineState& engine, Ability ability);

}  // namespace tilewright::detail
