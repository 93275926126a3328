// An engine's recently used plans.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "tilewright/engine.hpp"

namespace tilewright::detail {

/// An engine's recent plans, for calls without a plan of their own. The key is the problem, and the choice if there is
/// one. A linear search over these few plans costs less than hashing a problem. Thread-safe.
template <class Plan, class... Parts>
class RecentPlans {
 public:
  std::shared_ptr<const Plan> get(const Engine& engine, const Parts&... parts) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(plans_.begin(), plans_.end(),
                                      [&](const Entry& entry) { return entry.parts == std::tie(parts...); });
      if (found != plans_.end()) {
        std::rotate(plans_.begin(), found, found + 1);  // moves the latest to the front
        return plans_.front().plan;
      }
    }
    auto plan = std::make_shared<const Plan>(engine, parts...);
    const std::lock_guard lock(mutex_);
    if (plans_.size() == capacity) plans_.pop_back();
    plans_.insert(plans_.begin(), {{parts...}, plan});
    return plan;
  }

 private:
  static constexpr std::size_t capacity = 64;
  struct Entry {
    std::tuple<Parts...> parts;
    std::shared_ptr<const Plan> plan;
  };
  std::mutex mutex_;
  std::vector<Entry> plans_;
};

}  // namespace tilewright::detail
