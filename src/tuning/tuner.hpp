// Finds the fastest verified configuration for each problem of a list.
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
  std::size_t evaluations = std::numeric_limits<std::size_t>::max();  ///< per problem
};

inline constexpr unsigned final_rounds = 10;
/// Rounds of timings of a winner on other problems than its own. Fewer, so that such a record does not beat a final's.
inline constexpr unsigned compare_rounds = 3;

struct TuneOptions {
  TuneBudget budget{};
  std::string strategy{};  ///< one of search_strategies()
  std::uint64_t seed = 1;
  unsigned rounds = final_rounds;           ///< of the final, which times the best in turns
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to end the run after the current trials
  std::vector<std::string> variants{};      ///< empty: all
  unsigned threads = 1;                     ///< problems tuned at the same time
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// Progress of the run.
struct TuneProgress {
  std::size_t index = 0;  ///< of the problem
  Problem problem{};
  std::size_t evaluations = 0;  ///< of this problem
  std::size_t all_evaluations = 0;
  double best_seconds = 0;  ///< 0: none yet
  double untuned_seconds = 0;
  const std::map<Status, std::size_t>* counts = nullptr;  ///< over the whole run
  double seconds_left = 0;                                ///< infinite if the budget has no time limit
  std::string activity{};                                 ///< "search", "verify", "final", "compare"
};

/// Tunes problems one after another. On devices that leave the CPU free, it tunes some at a time, so that one is
/// compiled while another is timed.
class Tuner {
 public:
  /// All arguments must outlive the tuner. `evaluator` tries configurations; `bench` times the finals.
  Tuner(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal, TuneOptions options);

  using Listener = std::function<void(const TuneProgress&)>;
  /// Keeps to the budget's time, except for one compilation or one call in this process, which cannot be interrupted.
  /// Calls `listener` from any working thread, one call at a time, and `done` for every finished problem.
  std::vector<Tuned> run(const std::vector<Problem>& problems, const Listener& listener,
                         const std::function<void(const Tuned&)>& done);

  /// Returns why the last run ended early because the system failed. That run returned its results up to then.
  const std::string& failure() const { return failure_; }

 private:
  const Engine& engine_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  Journal& journal_;
  TuneOptions options_;
  std::string failure_;
};

/// Returns how many problems to tune at the same time in one process. A CPU must not compile while it is timed.
unsigned tuning_threads(const DeviceProfile& device);

}  // namespace tilewright::tuning
