#include "tune_worker.hpp"

#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "tuning/device_evaluator.hpp"
#include "tuning/isolated_evaluator.hpp"

namespace tilewright::tool {

std::unique_ptr<tuning::Evaluator> make_isolated_evaluator(const Session& session, double limit_seconds) {
  std::vector<char> self(4096);
  const ssize_t length = readlink("/proc/self/exe", self.data(), self.size());
  if (length <= 0) throw std::runtime_error("/proc/self/exe does not tell this program's path");
  return std::make_unique<tuning::IsolatedEvaluator>(
      std::vector<std::string>{std::string(self.data(), static_cast<std::size_t>(length)), "tune-worker", "--device",
                               session.device().index()},
      limit_seconds);
}

void add_tune_worker_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("tune-worker", "what --isolate starts")->group("");
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
