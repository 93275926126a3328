// The commands that a user of memory shared by several queues must wait for.
#include "runtime/memory/pending_commands.hpp"

#include <doctest/doctest.h>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

// The last command has no event, is in the first queue, and has not started: it waits for `gate`.
struct Unnamed {
  Unnamed() {
    const cl_event closed = gate();
    REQUIRE(clEnqueueMarkerWithWaitList(first(), 1, &closed, nullptr) == CL_SUCCESS);
    pending.add_last_without_event(first());
  }

  cl::CommandQueue first = make_queue(0), second = make_queue(0);
  cl::UserEvent gate{shared_context()};
  detail::PendingCommands pending;
};

std::vector<cl_event> waits_of(detail::PendingCommands& pending, const cl::CommandQueue& queue) {
  std::vector<cl_event> waits;
  pending.append_to(waits, queue());
  return waits;
}

}  // namespace

TEST_SUITE("pending commands") {
  TEST_CASE_FIXTURE(
      Unnamed,
      "a command without an event: its own queue needs no wait, other queues wait for all commands before it") {
    CHECK(waits_of(pending, first).empty());
    CHECK(waits_of(pending, first).empty());
    const std::vector<cl_event> waits = waits_of(pending, second);
    REQUIRE(waits.size() == 1);
    // Now the command has an event.
    CHECK(waits_of(pending, second) == waits);
    CHECK(waits_of(pending, first).empty());
    cl_int status = CL_COMPLETE;
    clGetEventInfo(waits[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status != CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    REQUIRE(clWaitForEvents(1, waits.data()) == CL_SUCCESS);
    CHECK(waits_of(pending, second).empty());
    count_cases();
  }

  TEST_CASE_FIXTURE(Unnamed, "a command with an event replaces earlier commands without one") {
    cl_event last = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(first(), 0, nullptr, &last) == CL_SUCCESS);
    const cl::Event owned(last);
    pending.add_last(last);
    CHECK(waits_of(pending, second) == std::vector{last});
    pending.clear();
    CHECK(waits_of(pending, second).empty());
    gate.setStatus(CL_COMPLETE);
    first.finish();
    count_cases();
  }
}

}  // namespace tilewright::test
