// State that the shim's functions share.
#pragma once

#include <functional>

#include "faults/fault_shim.hpp"

namespace tilewright::faults {

/// Counts a call. Returns the status that it returns instead of calling the driver; CL_SUCCESS if the driver is called.
cl_int injected(const char* function, const std::function<cl_context()>& context_of_object);

/// Whether the command that was just counted fails by its event, or waits for one that does.
bool fails_by_event(cl_command_queue queue, cl_uint count, const cl_event* waits);

/// Whether the command that was just counted must be held.
bool is_to_be_held();

/// Records the event that a held command waits for.
void note_gate(cl_event gate);

/// Records a new queue, whose handle may be reused.
void note_queue(cl_command_queue queue);

/// Records a new event, whose handle may be reused.
void note_event(cl_event event, bool fails);

/// The status of an event that fails; CL_SUCCESS if it does not.
cl_int failed_status(cl_event event);

/// Whether a device is lost.
bool is_lost();

/// The memory that devices report; 0: the real value.
cl_ulong pretended_memory();
/// The largest allocation that devices report; 0: the real value.
cl_ulong pretended_allocation();

void count_live(const char* kind, long change);

}  // namespace tilewright::faults
