#pragma once

#include <memory>

#include "session.hpp"
#include "tuning/measure/evaluation.hpp"

namespace tilewright::tool {

/// Returns an evaluator that runs configurations on the session's device in a child process, this program's command
/// `tune-worker`. A configuration that takes longer than `limit_seconds` is ended.
std::unique_ptr<tuning::Evaluator> make_isolated_evaluator(const Session& session, double limit_seconds);

}  // namespace tilewright::tool
