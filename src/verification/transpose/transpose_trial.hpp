#pragma once

#include <functional>
#include <string>

#include "tilewright/engine.hpp"
#include "verification/transpose/transpose_case.hpp"

namespace tilewright::verification {

/// Receives each plan whose kernels finished.
using TransposePlanObserver = std::function<void(const TransposePlan&)>;

/// Runs a case twice, in buffers whose other bytes are poisoned. Checks each element of B, that nothing else changed,
/// including A, and that the second run gave the same bits. Returns what is wrong, or an empty string. Throws
/// TransposePlan's errors.
std::string try_transpose_case(const Engine& engine, const TransposeCase& test, const TransposePlanObserver& ran = {});

}  // namespace tilewright::verification
