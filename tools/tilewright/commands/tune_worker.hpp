#pragma once

#include <memory>

#include "session.hpp"
#include "tuning/measure/evaluation.hpp"

namespace tilewright::tool {

/// Tries configurations on the session's device in a child process, this program's own command `tune-worker`.
/// One that takes longer than `limit_seconds` is ended.
std::unique_ptr<tuning::Evaluator> make_isolated_evaluator(const Session& session, double limit_seconds);

}  // namespace tilewright::tool
