#include "runtime/users.hpp"

namespace tilewright::detail {
namespace {

cl_int status_of(const cl::Event& event) { return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); }

// Whether the queue's own order is enough. An event of every call that waits for the one before would also keep that
// one alive in drivers that never let go of what an event waited for, and so on for as long as calls keep coming.
bool comes_before_all(const cl::Event& event, cl_command_queue queue) {
  if (event.getInfo<CL_EVENT_COMMAND_QUEUE>()() != queue) return false;
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
        "clGetCommandQueueInfo");
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

// PoCL 3.1 ends the process where a command fails whose event nobody holds, so events are held until they are complete,
// and some failed ones longer, for the driver may not be done with them.
constexpr std::size_t most_held = 64;

}  // namespace

void Users::add(cl_event event) {
  events_.emplace_back(event, true);
  last_is_enough_ = false;
}

void Users::add_last(cl_event event) {
  add(event);
  last_is_enough_ = true;
}

void Users::append_to(std::vector<cl_event>& waits, cl_command_queue queue) {
  if (events_.empty()) return;
  const cl_int last = status_of(events_.back());
  if (last_is_enough_ && last == CL_COMPLETE) return events_.clear();
  while (events_.size() > 1) {
    const cl_int first = status_of(events_.front());
    if (first != CL_COMPLETE && (first > CL_COMPLETE || events_.size() <= most_held)) break;
    events_.pop_front();
  }
  if (last_is_enough_ && last > CL_COMPLETE) {
    if (!comes_before_all(events_.back(), queue)) waits.push_back(events_.back()());
    return;
  }
  // Where the last one failed, it may have done so before others were complete.
  for (const cl::Event& event : events_)
    if (status_of(event) > CL_COMPLETE && !comes_before_all(event, queue)) waits.push_back(event());
}

}  // namespace tilewright::detail
