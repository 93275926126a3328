#include "commands/tuning/tune_worker.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "tuning/measure/device_evaluator.hpp"
#include "tuning/measure/isolated_evaluator.hpp"
#include "verification/check/worker_process.hpp"

namespace tilewright::tool {

std::unique_ptr<tuning::Evaluator> make_isolated_evaluator(const Session& session, double limit_seconds) {
  return std::make_unique<tuning::IsolatedEvaluator>(
      std::vector<std::string>{verification::path_of_this_program(), "tune-worker", "--device",
                               session.device().index()},
      limit_seconds);
}

void add_tune_worker_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("tune-worker", "worker process of --isolate")->group("");
  const auto device = std::make_shared<std::string>();
  command->add_option("--device", *device);
  command->callback([&action, device] {
    action = [device] {
      std::optional<Session> session;
      try {
        session.emplace(*device);
      } catch (const std::exception& problem) {
        tuning::IsolatedEvaluator::refuse(problem.what());
        return 1;
      }
      tuning::DeviceEvaluator evaluator(session->engine());
      tuning::IsolatedEvaluator::serve(evaluator);
      return 0;
    };
  });
}

}  // namespace tilewright::tool
