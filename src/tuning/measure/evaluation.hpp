// What came of trying a choice on a problem.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tuning/tunable/trial.hpp"

namespace tilewright::tuning {

enum class Status {
  ok,           ///< verified and timed
  slow,         ///< given up after one timing, or after a smaller product showed that it would take too long
  constraints,  ///< the compiled kernel needs more than the device has
  compile,      ///< the driver refused the program
  runtime,      ///< a call failed
  correctness,  ///< the result was wrong
  timeout,      ///< it did not come to an end
  crash,        ///< it ended the process
};

inline constexpr Status all_statuses[] = {Status::ok,      Status::slow,        Status::constraints, Status::compile,
                                          Status::runtime, Status::correctness, Status::timeout,     Status::crash};

/// The status as it is written above.
std::string_view to_string(Status status);

/// Throws std::invalid_argument for a word that is none.
Status parse_status(std::string_view word);

struct Evaluation {
  Status status = Status::runtime;
  double seconds = 0;          ///< of a whole call; of ok and slow ones
  unsigned timings = 0;        ///< at full size; 0 where the time is extrapolated from a smaller product
  double compile_seconds = 0;  ///< the program and its first launch
  std::string message{};       ///< what went wrong

  bool timed() const { return status == Status::ok || status == Status::slow; }
  /// What a search is told.
  std::optional<double> objective() const { return timed() ? std::optional(seconds) : std::nullopt; }
};

/// The system failed, not what was tried: no descriptors, processes or memory left. It ends a run.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The time was up before a trial came to an end. It says nothing of what was tried.
class OutOfTime : public std::runtime_error {
 public:
  OutOfTime() : std::runtime_error("the time was up") {}
};

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline no_deadline = Deadline::max();

/// Tries configurations. Nothing is thrown for one that fails; SystemError and OutOfTime are.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Compiles, verifies and times; gives up early on what is much slower than `best_seconds`.
  virtual Evaluation evaluate(const Trial& trial, double best_seconds = std::numeric_limits<double>::infinity(),
                              Deadline deadline = no_deadline) = 0;

  /// Verifies a choice in the form (types, transposes) of the trial's problem at the edges of its tiles, in
  /// guarded memory: ok, or what failed and how. Times nothing.
  virtual Evaluation verify(const Trial& trial, Deadline deadline = no_deadline) = 0;
};

}  // namespace tilewright::tuning
