#include "tuning/isolated_evaluator.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iostream>
#include <stdexcept>

#include "tuning/trial_json.hpp"

namespace tilewright::tuning {
namespace {

constexpr int answer_descriptor = 3;

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

struct NoAnswer {
  Status status;
};

// A line that the child writes; throws NoAnswer where it ends or takes too long.
std::string read_line(int descriptor, double limit_seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_seconds);
  std::string line;
  while (line.empty() || line.back() != '\n') {
    const auto left = std::chrono::duration<double, std::milli>(deadline - std::chrono::steady_clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left) + 1) == 0) throw NoAnswer{Status::timeout};
    std::array<char, 4096> bytes{};
    const ssize_t count = read(descriptor, bytes.data(), bytes.size());
    if (count <= 0) throw NoAnswer{Status::crash};
    line.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return line;
}

}  // namespace

IsolatedEvaluator::IsolatedEvaluator(std::vector<std::string> command, double limit_seconds)
    : command_(std::move(command)), limit_seconds_(limit_seconds) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that ended is found out by reading
}

IsolatedEvaluator::~IsolatedEvaluator() { end(); }

void IsolatedEvaluator::start() {
  std::array<int, 2> request{};
  std::array<int, 2> answer{};
  if (pipe2(request.data(), O_CLOEXEC) != 0 || pipe2(answer.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipes for a child process");
  std::vector<char*> arguments;
  arguments.reserve(command_.size() + 1);
  for (std::string& word : command_) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  child_ = fork();
  if (child_ == 0) {
    setpgid(0, 0);  // an interrupt from the keyboard is the parent's
    // Out of the way of the descriptors that they become.
    const int in = fcntl(request[0], F_DUPFD, 10);
    const int out = fcntl(answer[1], F_DUPFD, 10);
    dup2(in, STDIN_FILENO);
    dup2(out, answer_descriptor);
    close(in);
    close(out);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(request[0]);
  close(answer[1]);
  requests_ = request[1];
  answers_ = answer[0];
  if (child_ < 0) throw std::runtime_error("a child process could not be started");
}

void IsolatedEvaluator::end() {
  if (child_ < 0) return;
  close(requests_);
  close(answers_);
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  child_ = -1;
}

nlohmann::json IsolatedEvaluator::ask(const nlohmann::ordered_json& request, double limit_seconds) {
  const std::lock_guard lock(mutex_);
  if (child_ < 0) start();
  try {
    if (!write_all(requests_, request.dump() + '\n')) throw NoAnswer{Status::crash};
    return nlohmann::json::parse(read_line(answers_, limit_seconds));
  } catch (...) {
    end();
    throw;
  }
}

Evaluation IsolatedEvaluator::evaluate(const Trial& trial, double best_seconds) try {
  nlohmann::ordered_json request{{"request", "evaluate"}, {"trial", to_json(trial)}};
  if (std::isfinite(best_seconds)) request["best_seconds"] = best_seconds;
  return evaluation_from_json(ask(request, limit_seconds_));
} catch (const NoAnswer& none) {
  return {.status = none.status, .message = none.status == Status::crash ? "the process ended" : "it took too long"};
} catch (const std::exception& problem) {
  return {.message = problem.what()};
}

std::string IsolatedEvaluator::verify(const Trial& trial) try {
  constexpr double programs = 4;  // a few are compiled, where a trial compiles one
  return ask({{"request", "verify"}, {"trial", to_json(trial)}}, programs * limit_seconds_)
      .at("wrong")
      .get<std::string>();
} catch (const NoAnswer& none) {
  return none.status == Status::crash ? "the process ended" : "it took too long";
} catch (const std::exception& problem) {
  return problem.what();
}

void IsolatedEvaluator::serve(Evaluator& evaluator) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = nlohmann::json::parse(line);
    const Trial trial = trial_from_json(request.at("trial"));
    nlohmann::ordered_json answer;
    if (request.at("request") == "verify") {
      answer["wrong"] = evaluator.verify(trial);
    } else {
      answer =
          to_json(evaluator.evaluate(trial, request.value("best_seconds", std::numeric_limits<double>::infinity())));
    }
    if (!write_all(answer_descriptor, answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'))
      return;
  }
}

}  // namespace tilewright::tuning
