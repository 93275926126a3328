// Finds the fastest verified configuration for each of a list of problems.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tilewright/records.hpp"
#include "tuning/device_evaluator.hpp"
#include "tuning/journal.hpp"
#include "tuning/search.hpp"

namespace tilewright::tuning {

struct TuneBudget {
  double seconds = std::numeric_limits<double>::infinity();           ///< for the whole run, from TuneOptions::start
  std::size_t evaluations = std::numeric_limits<std::size_t>::max();  ///< for each problem
};

inline constexpr unsigned final_rounds = 10;
/// Of what was timed on other problems than its own; fewer, so that such a record does not beat a final's.
inline constexpr unsigned compare_rounds = 3;

struct TuneOptions {
  TuneBudget budget{};
  std::string strategy{};  ///< of search_strategies()
  std::uint64_t seed = 1;
  unsigned rounds = final_rounds;           ///< of the final, in which the best are timed in turns
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: end after what is being tried
  std::vector<std::string> variants{};      ///< empty: all
  unsigned threads = 1;                     ///< problems that are tuned side by side
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// What the run is at.
struct TuneProgress {
  std::size_t problem = 0;  ///< its index
  const GemmProblem* shape = nullptr;
  std::size_t evaluations = 0;  ///< of this problem
  std::size_t all_evaluations = 0;
  double best_seconds = 0;  ///< 0: none yet
  double untuned_seconds = 0;
  const std::map<Status, std::size_t>* counts = nullptr;  ///< of the whole run
  double seconds_left = 0;                                ///< infinite where the budget has no time
  std::string activity{};                                 ///< "search", "verify", "final", "compare"
};

struct Timed {
  Trial trial;
  double seconds = 0;    ///< median
  double variation = 0;  ///< standard deviation / mean
  unsigned timings = 0;
  double untuned_seconds = 0;  ///< median of what the library runs untuned, timed in turns with it
};

/// What came of one problem.
struct Tuned {
  GemmProblem problem;
  std::vector<Journal::Entry> evaluations;  ///< in their order
  Timed untuned;
  Timed best;
  std::vector<Timed> others;      ///< verified ones that were timed on it too
  std::string problem_message{};  ///< why there is no result; empty where there is one
  std::string untuned_message{};  ///< what was wrong with what the library runs untuned
  bool complete = false;          ///< the budget was used up, or there was nothing left to try
  // What the budget's time did not suffice for:
  bool out_of_time = false;    ///< there is no result
  std::size_t unverified = 0;  ///< finalists
  std::size_t uncompared = 0;  ///< winners of other problems that were not timed on it

  double speedup() const { return untuned.seconds / best.seconds; }
};

/// Tunes problems, which need not be normalized, one after the other or, on devices that leave the CPU free, some at a
/// time, so that one is compiled while another is timed.
class Tuner {
 public:
  /// Everything that is passed must outlive it. `evaluator` tries, `bench` runs the finals.
  Tuner(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal, TuneOptions options);

  using Listener = std::function<void(const TuneProgress&)>;
  /// Keeps to the budget's time, but for what cannot be interrupted: one compilation or one call in this process.
  /// `listener` is called from whatever thread works, one at a time; `done` for every problem when it is finished.
  std::vector<Tuned> run(const std::vector<GemmProblem>& problems, const Listener& listener,
                         const std::function<void(const Tuned&)>& done);

  /// Why the last run ended early, where the system failed; what it has until then it returned.
  const std::string& failure() const { return failure_; }

 private:
  struct Run;

  const Engine& engine_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  Journal& journal_;
  TuneOptions options_;
  std::string failure_;
};

/// Records of what came of a problem: the best first, then what the library would have run, and what else was timed,
/// less often than these.
std::vector<GemmRecord> records_of(const Tuned& tuned, const DeviceProfile& device);

/// How many problems to try side by side, in one process: a CPU compiles nothing while it is timed.
unsigned tuning_threads(const DeviceProfile& device);

/// The median and the variation of some timings.
Timed timed(const Trial& trial, const std::vector<double>& seconds);

/// The median of some timings, which must not be empty.
double median(std::vector<double> values);

}  // namespace tilewright::tuning
