#include "verification/common/keep_on_oclgrind.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace tilewright::verification {

void keep_on_oclgrind(const Engine& engine, std::shared_ptr<const void> object) {
  if (engine.profile().vendor != Vendor::oclgrind) return;
  static auto& kept = *new std::vector<std::shared_ptr<const void>>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(object));
}

}  // namespace tilewright::verification
