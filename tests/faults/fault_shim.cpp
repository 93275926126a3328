#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "faults/fault_state.hpp"

namespace tilewright::faults {
namespace {

// True between the two halves of a call: the call is counted first, then its command is enqueued.
thread_local bool meets_next_command = false;

struct Shim {
  std::mutex mutex;
  bool counting = false;
  bool fired = false;
  Fault fault;
  unsigned any_calls = 0;  // counts the calls of all functions
  std::map<std::string, unsigned> calls;
  std::map<std::string, long> live;
  std::set<cl_command_queue> failed_queues;
  std::map<cl_event, cl_int> failed_events;
  cl_ulong memory = 0, allocation = 0;  // reported by devices
  cl_event gate = nullptr;              // releases the held command
};

void arm_from_environment(Shim& shim) {
  const char* const variable = std::getenv("TILEWRIGHT_FAULT");
  if (variable == nullptr) return;
  const std::string text = variable;
  const auto first = text.find(':'), second = text.find(':', first + 1);
  if (second == std::string::npos) return;
  shim.fault.function = text.substr(0, first);
  shim.fault.call = static_cast<unsigned>(std::strtoul(text.c_str() + first + 1, nullptr, 10));
  shim.fault.status = static_cast<cl_int>(std::strtol(text.c_str() + second + 1, nullptr, 10));
  shim.counting = true;
}

// Never destroyed: drivers call OpenCL while the process ends.
Shim& shim() {
  static Shim& instance = [&]() -> Shim& {
    static Shim& made = *new Shim;
    arm_from_environment(made);
    return made;
  }();
  return instance;
}

bool is_in_scope(const Shim& s, cl_context context) { return s.fault.context == nullptr || s.fault.context == context; }

// Whether the failure appears in the call's command, while the call itself succeeds.
bool is_met_by_command(Failure failure) {
  return failure == Failure::event || failure == Failure::command || failure == Failure::held;
}

// Counts a call. Returns whether this call must fail.
bool is_struck(Shim& s, const char* function) {
  const unsigned call = ++s.calls[function];
  ++s.any_calls;
  const bool is_function = s.fault.function.empty() || s.fault.function == function;
  if (!is_function || (s.fault.function.empty() ? s.any_calls : call) != s.fault.call) return false;
  return s.fired = true;
}

}  // namespace

cl_int injected(const char* function, const std::function<cl_context()>& context_of_object) {
  Shim& s = shim();
  {
    const std::lock_guard lock(s.mutex);
    if (!s.counting) return CL_SUCCESS;
  }
  const cl_context context = context_of_object();
  const std::lock_guard lock(s.mutex);
  meets_next_command = false;
  if (!s.counting || !is_in_scope(s, context)) return CL_SUCCESS;
  if (s.fired && s.fault.failure == Failure::lost) return s.fault.status;
  const bool had_fired = s.fired;
  const bool is_struck_now = is_struck(s, function);
  const bool lasts = had_fired && s.fault.failure == Failure::lasting && s.fault.function == function;
  if (!is_struck_now && !lasts) return CL_SUCCESS;
  meets_next_command = is_met_by_command(s.fault.failure);
  return meets_next_command ? CL_SUCCESS : s.fault.status;
}

bool fails_by_event(cl_command_queue queue, cl_uint count, const cl_event* waits) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  if (!s.counting || (s.fault.failure != Failure::event && s.fault.failure != Failure::command)) return false;
  bool fails = std::exchange(meets_next_command, false) || s.failed_queues.count(queue) != 0;
  for (cl_uint i = 0; i < count; ++i) fails = fails || s.failed_events.count(waits[i]) != 0;
  if (fails && s.fault.failure == Failure::event) s.failed_queues.insert(queue);
  return fails;
}

bool is_to_be_held() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.counting && s.fault.failure == Failure::held && std::exchange(meets_next_command, false);
}

void note_gate(cl_event gate) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.gate = gate;
}

bool holds_command() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.gate != nullptr;
}

void release_held() {
  cl_event gate = nullptr;
  {
    Shim& s = shim();
    const std::lock_guard lock(s.mutex);
    gate = std::exchange(s.gate, nullptr);
  }
  if (gate != nullptr) {
    clSetUserEventStatus(gate, CL_COMPLETE);
    count_live("event", 1);  // balances the release below
    clReleaseEvent(gate);
  }
  disarm();
}

void note_queue(cl_command_queue queue) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.failed_queues.erase(queue);
}

void note_event(cl_event event, bool fails) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.failed_events.erase(event);
  if (fails) s.failed_events.emplace(event, s.fault.status);
}

cl_int failed_status(cl_event event) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  const auto found = s.failed_events.find(event);
  return found == s.failed_events.end() ? CL_SUCCESS : found->second;
}

bool is_lost() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.counting && s.fired && s.fault.failure == Failure::lost;
}

cl_ulong pretended_memory() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.memory;
}

cl_ulong pretended_allocation() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.allocation != 0 ? s.allocation : s.memory;
}

void limit_allocation(cl_ulong bytes) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.allocation = bytes;
}

void pretend_memory(cl_ulong bytes) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.memory = bytes;
}

void count_live(const char* kind, long change) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.live[kind] += change;
}

void arm(const Fault& fault) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.fault = fault;
  s.calls.clear();
  s.any_calls = 0;
  s.failed_queues.clear();
  s.failed_events.clear();
  s.fired = false;
  s.counting = true;
}

bool disarm() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.counting = false;
  s.failed_queues.clear();
  s.failed_events.clear();
  return s.fired;
}

std::map<std::string, unsigned> calls() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.calls;
}

std::map<std::string, long> live_objects() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  std::map<std::string, long> result;
  for (const auto& [kind, count] : s.live)
    if (count != 0) result.emplace(kind, count);
  return result;
}

}  // namespace tilewright::faults
