#pragma once

#include <atomic>

#include "session.hpp"
#include "tuning/measure/device_evaluator.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tool {

/// `tune --verify-only`: verifies and times an operation's stored records again and prints what became of each.
/// 0 where all were right.
int verify_records(const Session& session, const tuning::Operation& operation, tuning::Evaluator& evaluator,
                   tuning::DeviceEvaluator& bench, const std::atomic<bool>& stop, bool json);

}  // namespace tilewright::tool
