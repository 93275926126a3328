#include "runtime/users.hpp"

namespace tilewright::detail {
namespace {

// Neither complete nor failed: who waits for a failed command fails with it.
bool is_pending(const cl::Event& event) { return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() > CL_COMPLETE; }

// Whether the queue's own order is enough. An event of every call that waits for the one before would also keep that
// one alive in drivers that never let go of what an event waited for, and so on for as long as calls keep coming.
bool comes_before_all(const cl::Event& event, cl_command_queue queue) {
  if (event.getInfo<CL_EVENT_COMMAND_QUEUE>()() != queue) return false;
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
        "clGetCommandQueueInfo");
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

}  // namespace

void Users::append_to(std::vector<cl_event>& waits, cl_command_queue queue) const {
  for (const cl::Event& event : events_)
    if (is_pending(event) && !comes_before_all(event, queue)) waits.push_back(event());
}

}  // namespace tilewright::detail
