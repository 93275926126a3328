// Finds the fastest verified configuration for each of a list of problems.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tuning/journal.hpp"
#include "tuning/measure/device_evaluator.hpp"
#include "tuning/tuned.hpp"

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
  std::size_t index = 0;  ///< of the problem
  Problem problem{};
  std::size_t evaluations = 0;  ///< of this problem
  std::size_t all_evaluations = 0;
  double best_seconds = 0;  ///< 0: none yet
  double untuned_seconds = 0;
  const std::map<Status, std::size_t>* counts = nullptr;  ///< of the whole run
  double seconds_left = 0;                                ///< infinite where the budget has no time
  std::string activity{};                                 ///< "search", "verify", "final", "compare"
};

/// Tunes problems one after the other or, on devices that leave the CPU free, some at a time, so that one is compiled
/// while another is timed.
class Tuner {
 public:
  /// Everything that is passed must outlive it. `evaluator` tries, `bench` runs the finals.
  Tuner(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal, TuneOptions options);

  using Listener = std::function<void(const TuneProgress&)>;
  /// Keeps to the budget's time, but for what cannot be interrupted: one compilation or one call in this process.
  /// `listener` is called from whatever thread works, one at a time; `done` for every problem when it is finished.
  std::vector<Tuned> run(const std::vector<Problem>& problems, const Listener& listener,
                         const std::function<void(const Tuned&)>& done);

  /// Why the last run ended early, where the system failed; what it has until then it returned.
  const std::string& failure() const { return failure_; }

 private:
  const Engine& engine_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  Journal& journal_;
  TuneOptions options_;
  std::string failure_;
};

/// How many problems to try side by side, in one process: a CPU compiles nothing while it is timed.
unsigned tuning_threads(const DeviceProfile& device);

}  // namespace tilewright::tuning
