// The result of trying a choice on a problem.
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
  slow,         ///< given up after one timing, or after a smaller product predicted a long time
  constraints,  ///< the compiled kernel needs more than the device has
  compile,      ///< the driver refused the program
  runtime,      ///< a call failed
  correctness,  ///< the result was wrong
  timeout,      ///< it did not finish in time
  crash,        ///< it ended the process
};

inline constexpr Status all_statuses[] = {Status::ok,      Status::slow,        Status::constraints, Status::compile,
                                          Status::runtime, Status::correctness, Status::timeout,     Status::crash};

/// Returns the name of a status, spelled as above.
std::string_view to_string(Status status);

/// Throws std::invalid_argument for an unknown word.
Status parse_status(std::string_view word);

struct Evaluation {
  Status status = Status::runtime;
  double seconds = 0;          ///< per call, if ok or slow
  unsigned timings = 0;        ///< at full size; 0 if the time is extrapolated from a smaller product
  double compile_seconds = 0;  ///< of the program and its first launch
  std::string message{};       ///< reason of the failure

  bool timed() const { return status == Status::ok || status == Status::slow; }
  /// The value that a search minimises; nothing after a failure.
  std::optional<double> objective() const { return timed() ? std::optional(seconds) : std::nullopt; }
};

/// Thrown if the system failed, not the trial: no descriptors, processes or memory are left. Ends a run.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown if time ran out before a trial finished. Says nothing about the trial.
class OutOfTime : public std::runtime_error {
 public:
  OutOfTime() : std::runtime_error("time ran out") {}
};

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline no_deadline = Deadline::max();

/// Tries configurations. A failing configuration causes no exception; SystemError and OutOfTime are thrown.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Compiles, checks and times a choice. Gives up early if it is much slower than `best_seconds`.
  virtual Evaluation evaluate(const Trial& trial, double best_seconds = std::numeric_limits<double>::infinity(),
                              Deadline deadline = no_deadline) = 0;

  /// Verifies a choice in the form (types, transposes) of the trial's problem, at the edges of its tiles, in guarded
  /// memory. Returns ok, or the failure and its reason. Times nothing.
  virtual Evaluation verify(const Trial& trial, Deadline deadline = no_deadline) = 0;
};

}  // namespace tilewright::tuning
