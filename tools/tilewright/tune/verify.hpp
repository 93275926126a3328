#pragma once

#include <atomic>

#include "session.hpp"
#include "tuning/measure/device_evaluator.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tool {

/// Verifies and times an operation's stored records again (`tune --verify-only`) and prints the outcome of each.
/// Returns 0 if all were right, otherwise 1.
int verify_records(const Session& session, const tuning::Operation& operation, tuning::Evaluator& evaluator,
                   tuning::DeviceEvaluator& bench, const std::atomic<bool>& stop, bool json);

}  // namespace tilewright::tool
