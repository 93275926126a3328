#include "runtime/memory/pending_commands.hpp"

#include <utility>

namespace tilewright::detail {
namespace {

cl_int status_of(const cl::Event& event) { return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); }

// Whether the queue's own order is enough. Some drivers never release the events that an event waited for. If every
// call waited for the event of the call before, all earlier events would stay alive.
bool is_ordered_before(const cl::Event& event, cl_command_queue queue) {
  return event.getInfo<CL_EVENT_COMMAND_QUEUE>()() == queue && is_in_order(queue);
}

// The driver may still use failed events, so they are held longer than others, but no more than this many.
constexpr std::size_t max_held = 64;

// Asking a driver for an event's status can take a microsecond, so only some of many are asked.
constexpr std::size_t few = 16;

}  // namespace

cl_command_queue_properties properties_of(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
        "clGetCommandQueueInfo");
  return properties;
}

bool is_in_order(cl_command_queue queue) {
  return (properties_of(queue) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

// The added event already depends on every earlier command, including one without an event.
void PendingCommands::add(cl_event event) {
  unnamed_ = cl::CommandQueue();
  commands_.push_back({cl::Event(event, true), false});
}

void PendingCommands::add_last(cl_event event) {
  unnamed_ = cl::CommandQueue();
  commands_.push_back({cl::Event(event, true), true});
}

void PendingCommands::add_last_without_event(cl_command_queue queue) {
  commands_.clear();
  if (unnamed_() != queue) unnamed_ = cl::CommandQueue(queue, true);
}

void PendingCommands::name_last(cl_command_queue queue, cl_event later) {
  if (later != nullptr && unnamed_() == queue) add_last(later);
}

void PendingCommands::clear() {
  commands_.clear();
  unnamed_ = cl::CommandQueue();
}

// Some drivers accept no more commands after a failed one. Nothing runs in such a queue, so no marker is needed.
void PendingCommands::name_unnamed() {
  const cl::CommandQueue queue = std::exchange(unnamed_, cl::CommandQueue());
  cl_event marker = nullptr;
  if (clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &marker) != CL_SUCCESS) return;
  const cl::Event owned(marker);
  if (clFlush(queue()) == CL_SUCCESS) commands_.push_back({owned, true});
}

// Drops the older half once a command in the middle that waited for all of them is complete. A failed command in the
// middle suffices if too many are held.
void PendingCommands::release() {
  if (commands_.size() < few) return;
  std::size_t middle = commands_.size() / 2;
  while (middle > 0 && !commands_[middle].covers_others) --middle;
  const cl_int status = status_of(commands_[middle].event);
  const bool is_done = status == CL_COMPLETE && commands_[middle].covers_others;
  if (is_done || (status < CL_COMPLETE && commands_.size() > max_held))
    for (std::size_t i = 0; i <= middle; ++i) commands_.pop_front();
}

void PendingCommands::append_to(std::vector<cl_event>& waits, cl_command_queue queue) {
  if (unnamed_() == queue) return;
  if (unnamed_() != nullptr) name_unnamed();
  if (commands_.empty()) return;
  const bool last_is_enough = commands_.back().covers_others;
  const cl_int last = status_of(commands_.back().event);
  if (last_is_enough && last == CL_COMPLETE) return commands_.clear();
  release();
  if (last_is_enough && last > CL_COMPLETE) {
    if (!is_ordered_before(commands_.back().event, queue)) waits.push_back(commands_.back().event());
    return;
  }
  while (!commands_.empty()) {
    const cl_int first = status_of(commands_.front().event);
    if (first > CL_COMPLETE || (first < CL_COMPLETE && commands_.size() <= max_held)) break;
    commands_.pop_front();
  }
  // If the last command failed, it may have done so before earlier ones were complete.
  for (const Command& command : commands_)
    if (status_of(command.event) > CL_COMPLETE && !is_ordered_before(command.event, queue))
      waits.push_back(command.event());
}

// Checks two held calls per new one, so that calls do not accumulate after one that never completes.
void HeldEvents::hold(std::vector<cl::Event> call) {
  const std::lock_guard lock(mutex_);
  for (int i = 0; i < 2 && !calls_.empty(); ++i) {
    std::vector<cl::Event> oldest = std::move(calls_.front());
    calls_.pop_front();
    const cl_int status = status_of(oldest.back());
    if (status > CL_COMPLETE || (status < CL_COMPLETE && calls_.size() < max_held)) calls_.push_back(std::move(oldest));
  }
  calls_.push_back(std::move(call));
}

}  // namespace tilewright::detail
