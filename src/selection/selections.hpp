// An engine's selections for an operation, kept for repeated problems.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "runtime/system/log.hpp"
#include "selection/load_records.hpp"
#include "selection/problem_fields.hpp"
#include "selection/selector.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

/// Returns a device's profile without an ability that its probe did not confirm.
DeviceProfile without(DeviceProfile device, Ability ability);

/// Logs the problems found in records.
void log_problems(const std::vector<std::string>& problems);

/// Returns a device's records as a book, and logs the problems found in them.
template <class Problem>
RecordBook<Problem> open_record_book(const DeviceProfile& device) {
  RecordBook<Problem> book(load<Problem>(device), device);
  log_problems(book.set().problems);
  return book;
}

/// An engine's records of an operation and the selections made with them. A repeated problem costs one look-up.
/// Thread-safe, also for calls from the log callback.
template <class Problem>
class Selections {
 public:
  using ProbeFunction = std::function<Probe(Ability)>;  ///< Engine::probe()

  /// Returns the result of select(). If its variant fails a probe and the caller did not force the variant, returns the
  /// selection without that ability. Reads the device's records on the first call. Throws the errors of select(), and
  /// Error(unsupported_variant) if a forced variant fails its probe.
  std::shared_ptr<const Selection<Problem>> get(const DeviceProfile& device, const ProbeFunction& probe,
                                                const Problem& problem, const Choice& choice) {
    const bool free = choice == Choice{};
    if (free) {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(problem); found != known_.end()) return found->second;
    }
    // No lock is held here: log messages go to the caller's callbacks, which may request a selection.
    auto selection = std::make_shared<const Selection<Problem>>(selected(device, probe, problem, choice));
    if (free) {
      const std::lock_guard lock(mutex_);
      constexpr std::size_t most = 4096;
      if (known_.size() == most) known_.clear();
      known_.emplace(problem, selection);
    }
    return selection;
  }

 private:
  Selection<Problem> selected(const DeviceProfile& device, const ProbeFunction& ask, const Problem& problem,
                              const Choice& choice);
  std::shared_ptr<const RecordBook<Problem>> book(const DeviceProfile& device);

  struct Hash {
    std::size_t operator()(const Problem& problem) const { return problem_hash(problem); }
  };

  std::mutex mutex_;
  std::shared_ptr<const RecordBook<Problem>> book_;
  std::unordered_map<Problem, std::shared_ptr<const Selection<Problem>>, Hash> known_;
};

// Defined outside the class, so that `extern template` applies: code that reads records compiles slowly.

template <class Problem>
Selection<Problem> Selections<Problem>::selected(const DeviceProfile& device, const ProbeFunction& ask,
                                                 const Problem& problem, const Choice& choice) {
  const auto records = book(device);
  Selection<Problem> selection = select(device, *records, problem, choice);
  if (!selection.variant->needs.ability) return selection;
  const Probe probe = ask(*selection.variant->needs.ability);
  if (probe.available) return selection;
  const std::string failure =
      std::string("variant '") + selection.variant->name + "' fails its probe on this device: " + probe.detail;
  if (!choice.variant.empty()) throw Error(ErrorCode::unsupported_variant, failure);
  log(failure);
  return select(without(device, *selection.variant->needs.ability), *records, problem, choice);
}

template <class Problem>
std::shared_ptr<const RecordBook<Problem>> Selections<Problem>::book(const DeviceProfile& device) {
  {
    const std::lock_guard lock(mutex_);
    if (book_) return book_;
  }
  auto opened = std::make_shared<const RecordBook<Problem>>(load<Problem>(device), device);
  {
    const std::lock_guard lock(mutex_);
    if (book_) return book_;  // another thread was faster
    book_ = opened;
  }
  log_problems(opened->set().problems);
  return opened;
}

}  // namespace tilewright::detail
