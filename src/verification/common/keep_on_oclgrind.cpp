#include "verification/common/keep_on_oclgrind.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "runtime/engine_state.hpp"
#include "runtime/memory/workspace_arena.hpp"

namespace tilewright::verification {

void keep_on_oclgrind(const Engine& engine, std::shared_ptr<const void> object) {
  if (engine.profile().vendor != Vendor::oclgrind) return;
  static auto& kept = *new std::vector<std::shared_ptr<const void>>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(object));
}

void reserve_on_oclgrind(const Engine& engine) {
  if (engine.profile().vendor != Vendor::oclgrind) return;
  constexpr std::uint64_t enough = 32 << 20;
  detail::EngineState& state = state_of(engine);
  state.shared_part<detail::WorkspaceArena>()->reserve(state.context(), enough, true);
}

}  // namespace tilewright::verification
