#pragma once

#include <functional>
#include <string>

#include "tilewright/engine.hpp"
#include "verification/transpose/transpose_case.hpp"

namespace tilewright::verification {

/// Hears of every plan whose kernels ran to their end.
using TransposePlanObserver = std::function<void(const TransposePlan&)>;

/// Runs a case twice, in buffers whose every other byte is poisoned, and checks every element of B, that nothing
/// outside B changed, nothing in A, and that the second run gave the same bits.
/// Returns what is wrong, or an empty string. Throws what TransposePlan throws.
std::string try_transpose_case(const Engine& engine, const TransposeCase& test, const TransposePlanObserver& ran = {});

}  // namespace tilewright::verification
