#include "tuning/measure/isolated_evaluator.hpp"

#include <cmath>
#include <iostream>
#include <new>
#include <system_error>

#include "selection/json_line.hpp"
#include "tuning/measure/descriptors.hpp"
#include "tuning/measure/trial_json.hpp"

namespace tilewright::tuning {
namespace {

using std::chrono::steady_clock;
using verification::WorkerProcess;
using verification::write_line;

constexpr double start_seconds = 120;  // for a driver to start, which takes long on a busy machine

// Thrown if a child ended, or was ended, instead of answering.
struct WorkerFailure {
  Status status;
  std::string how;
  bool killed = false;  // by the system, not by this process
};

std::string message_of(const WorkerFailure& none) {
  return none.status == Status::crash ? "the process ended: " + none.how : "it took too long";
}

Deadline after(double seconds, Deadline latest) {
  // Not added if the sum would overflow.
  const std::chrono::duration<double> left = latest - steady_clock::now();
  if (!(seconds < left.count())) return latest;
  return steady_clock::now() +
         std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

IsolatedEvaluator::IsolatedEvaluator(std::vector<std::string> command, double limit_seconds)
    : command_(std::move(command)), limit_seconds_(limit_seconds) {}

void IsolatedEvaluator::start(Deadline deadline) {
  require_descriptors();
  try {
    worker_.emplace(command_);
  } catch (const std::system_error& failed) {
    throw SystemError(failed.what());
  }
  const Deadline latest = after(start_seconds, deadline);
  std::string line;
  const WorkerProcess::Received got = worker_->receive(line, latest);
  std::string why;
  if (got == WorkerProcess::Received::line) {
    const auto values = detail::parse_json(line, false);
    if (values.is_object() && values.contains("ready")) return;
    why = values.is_object() ? values.value("failed", line) : line;
  }
  const std::string how = worker_->end();
  worker_.reset();
  if (got == WorkerProcess::Received::nothing) {
    if (latest == deadline) throw OutOfTime();
    why = "it was not ready in time";
  }
  throw SystemError("cannot start the process that tries configurations: " + (why.empty() ? how : why));
}

nlohmann::json IsolatedEvaluator::ask_once(const std::string& request, double limit_seconds, Deadline deadline) {
  if (!worker_) start(deadline);
  const Deadline latest = after(limit_seconds, deadline);
  worker_->send(request);
  std::string line;
  const WorkerProcess::Received got = worker_->receive(line, latest);
  if (got == WorkerProcess::Received::line)
    if (auto values = detail::parse_json(line, false); values.is_object()) {
      if (const auto failed = values.find("system"); failed != values.end())
        throw SystemError(failed->is_string() ? failed->get<std::string>() : line);
      return values;
    }
  const std::string how = worker_->end();
  worker_.reset();
  if (got == WorkerProcess::Received::line) throw std::runtime_error("the process answered '" + line + "'");
  if (got == WorkerProcess::Received::end) throw WorkerFailure{Status::crash, how, how.starts_with("signal 9 ")};
  if (latest == deadline) throw OutOfTime();
  throw WorkerFailure{Status::timeout, how};
}

nlohmann::json IsolatedEvaluator::ask(const nlohmann::ordered_json& request, double limit_seconds, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  const std::string line = detail::to_json_line(request);
  try {
    return ask_once(line, limit_seconds, deadline);
  } catch (const WorkerFailure& none) {
    if (!none.killed) throw;
  }
  return ask_once(line, limit_seconds, deadline);
}

Evaluation IsolatedEvaluator::evaluation(const nlohmann::ordered_json& request, double limit_seconds,
                                         Deadline deadline) try {
  return evaluation_from_json(ask(request, limit_seconds, deadline));
} catch (const WorkerFailure& none) {
  return {.status = none.status, .message = message_of(none)};
} catch (const SystemError&) {
  throw;
} catch (const OutOfTime&) {
  throw;
} catch (const std::exception& problem) {
  return {.message = problem.what()};
}

Evaluation IsolatedEvaluator::evaluate(const Trial& trial, double best_seconds, Deadline deadline) {
  nlohmann::ordered_json request{{"request", "evaluate"}, {"trial", to_json(trial)}};
  if (std::isfinite(best_seconds)) request["best_seconds"] = best_seconds;
  return evaluation(request, limit_seconds_, deadline);
}

Evaluation IsolatedEvaluator::verify(const Trial& trial, Deadline deadline) {
  constexpr double programs = 4;  // verification compiles a few programs, a trial only one
  return evaluation({{"request", "verify"}, {"trial", to_json(trial)}}, programs * limit_seconds_, deadline);
}

void IsolatedEvaluator::serve(Evaluator& evaluator) {
  if (!write_line(WorkerProcess::answer_descriptor, R"({"ready":true})")) return;
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::ordered_json answer;
    try {
      const auto request = detail::parse_json(line);
      const Trial trial = trial_from_json(request.at("trial"));
      const double best_seconds = request.value("best_seconds", std::numeric_limits<double>::infinity());
      answer = to_json(request.at("request") == "verify" ? evaluator.verify(trial)
                                                         : evaluator.evaluate(trial, best_seconds));
    } catch (const SystemError& failed) {
      answer["system"] = failed.what();
    }
    if (!write_line(WorkerProcess::answer_descriptor, detail::to_json_line(answer))) return;
  }
}

void IsolatedEvaluator::refuse(const std::string& why) {
  write_line(WorkerProcess::answer_descriptor, detail::to_json_line({{"failed", why}}));
}

}  // namespace tilewright::tuning
