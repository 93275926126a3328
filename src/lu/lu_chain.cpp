#include "lu/lu_chain.hpp"

#include <utility>

#include "kernels/enqueue_launch.hpp"
#include "runtime/memory/pending_commands.hpp"

namespace tilewright::detail {

LuChain::LuChain(cl_command_queue queue, std::vector<cl_event> waits)
    : queue_(queue), is_in_order_(waits.empty() && is_in_order(queue)), waits_(std::move(waits)) {}

void LuChain::launch(const cl::Kernel& kernel, const Launch& launch, const FixedValues& fixed,
                     const CallValues& values) {
  set_fixed_arguments(kernel(), launch, fixed);
  set_call_arguments(kernel(), launch, fixed, values);
  step([&](std::span<const cl_event> waits, bool event) {
    std::vector<cl::Event> parts;
    Event last = enqueue_launch(queue_, kernel, launch, all_of(launch), waits, parts, event);
    kept_.insert(kept_.end(), parts.begin(), parts.end());
    return last;
  });
}

void LuChain::step(const std::function<Event(std::span<const cl_event>, bool)>& enqueue) {
  add(enqueue(waits_, is_first_ || !is_in_order_));
}

void LuChain::add(Event event) {
  waits_.clear();
  if (event.get() == nullptr) return;
  kept_.emplace_back(event.release());
  if (!is_in_order_) waits_.assign(1, kept_.back()());
  is_first_ = false;
}

Event LuChain::finish() {
  if (is_in_order_ || is_first_) {
    std::vector<cl_event> waits = waits_;
    for (const cl::Event& event : kept_) waits.push_back(event());
    return enqueue_marker(queue_, waits);
  }
  check(clRetainEvent(kept_.back()()), "clRetainEvent");
  return Event(kept_.back()());
}

}  // namespace tilewright::detail
