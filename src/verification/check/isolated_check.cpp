#include "verification/check/isolated_check.hpp"

#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "selection/json_line.hpp"
#include "verification/check/worker_process.hpp"

namespace tilewright::verification {
namespace {

using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

std::string to_line(const CheckRequest& request) {
  return detail::to_json_line({{"operation", request.operation},
                               {"variant", request.variant},
                               {"breadth", to_string(request.breadth)},
                               {"device", request.device},
                               {"oclgrind", request.oclgrind},
                               {"case", request.one_case},
                               {"parts", request.parts}});
}

class WorkerConnection {
 public:
  WorkerConnection(const std::vector<std::string>& command, const CheckLimits& limits)
      : worker_(command), limits_(limits) {}

  void send(const std::string& line) { worker_.send(line); }

  // Returns the child's next line. If there is none, sets `ended` to the reason.
  nlohmann::json next(std::string& ended) {
    constexpr auto slice = std::chrono::milliseconds(500);
    const auto start = steady_clock::now();
    const double used_before = worker_.cpu_seconds();
    auto last_use = start;
    double used = used_before;
    for (;;) {
      std::string line;
      const auto got = worker_.receive(line, steady_clock::now() + slice);
      if (got == WorkerProcess::Received::line) {
        auto values = detail::parse_json(line, false);
        if (values.is_object()) return values;
        ended = "the process that runs the kernels sent an invalid answer: '" + detail::printable(line) + "'";
        return {};
      }
      if (got == WorkerProcess::Received::end) {
        ended = "the process that runs the kernels ended: " + worker_.end();
        return {};
      }
      constexpr double min_use = 0.01;  // seconds of CPU time per slice that count as activity
      const double now = worker_.cpu_seconds();
      if (now > used + min_use) last_use = steady_clock::now();
      used = now;
      if (seconds_since(last_use) > limits_.idle_seconds || used - used_before > limits_.busy_seconds) {
        const bool is_idle = used - used_before <= limits_.busy_seconds;
        ended = "timeout: no answer after " + std::to_string(std::lround(seconds_since(start))) + " s" +
                (is_idle ? "; idle for " + std::to_string(std::lround(limits_.idle_seconds)) + " s, then ended"
                         : "; CPU time limit reached, then ended");
        worker_.end();
        return {};
      }
    }
  }

 private:
  WorkerProcess worker_;
  CheckLimits limits_;
};

// Adds the usual cause of a crash to the message.
std::string explained(const std::string& ended) {
  if (ended.find("signal 11 ") == std::string::npos && ended.find("signal 7 ") == std::string::npos) return ended;
  return ended +
         ". A kernel accessed memory out of bounds, for example past an edge of A, B or C, or its private arrays "
         "exceed the stack";
}

class Reader {
 public:
  explicit Reader(const std::function<void(const CheckedPart&, const std::string&)>& begins) : begins_(begins) {}

  // Processes a line; returns false after the last.
  bool take(const nlohmann::json& line) {
    if (line.contains("device")) {
      report.device = line.value("device", "");
      report.index = line.value("index", "");
      report.platform = line.value("platform", "");
      report.driver = line.value("driver", "");
    } else if (line.contains("part")) {
      end_part();
      report.parts.push_back({.name = line.value("part", ""), .skipped = line.value("skipped", "")});
      part_start_ = steady_clock::now();
    } else if (line.contains("case")) {
      report.failed = line.value("case", "");
      if (begins_) begins_(part(), report.failed);
    } else if (line.contains("wrong")) {
      ++part().cases;
      for (const auto& kernel : line.value("kernels", nlohmann::json::array()))
        part().kernels.insert(kernel.get<std::string>());
      report.wrong = line.value("wrong", "");
      if (!report.wrong.empty()) return end_part();
      report.failed.clear();
    } else {
      return end_part();
    }
    return true;
  }

  void stop(const std::string& why) {
    report.wrong = why;
    end_part();
  }

  CheckReport report;

 private:
  CheckedPart& part() {
    if (report.parts.empty()) throw std::runtime_error("the process that runs the kernels sent a case before any part");
    return report.parts.back();
  }

  bool end_part() {
    if (!report.parts.empty() && report.parts.back().seconds == 0)
      report.parts.back().seconds = seconds_since(part_start_);
    return false;
  }

  const std::function<void(const CheckedPart&, const std::string&)>& begins_;
  steady_clock::time_point part_start_ = steady_clock::now();
};

}  // namespace

CheckReport run_check(const std::vector<std::string>& command, const CheckRequest& request, const CheckLimits& limits,
                      const std::function<void(const CheckedPart&, const std::string&)>& begins) {
  WorkerConnection connection(command, limits);
  connection.send(to_line(request));
  Reader reader(begins);
  for (bool more = true; more;) {
    std::string ended;
    const nlohmann::json line = connection.next(ended);
    if (line.contains("failed")) throw std::runtime_error(line.value("failed", ""));
    if (ended.empty()) {
      more = reader.take(line);
    } else {
      reader.stop(explained(ended));
      more = false;
    }
  }
  return reader.report;
}

}  // namespace tilewright::verification
