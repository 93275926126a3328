// Probes of device abilities that no query reports.
#pragma once

#include "runtime/program/program_store.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

class EngineState;

/// The program of an ability's probe.
ProgramRequest probe_program(Ability ability);

/// Builds and runs the kernels that show whether the device has an ability.
Probe run_probe(EngineState& engine, Ability ability);

}  // namespace tilewright::detail
