#include "tilewright/engine.hpp"

#include <algorithm>

#include "runtime/device/driver_quirks.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/probe.hpp"
#include "runtime/program/binary_cache.hpp"
#include "runtime/system/process.hpp"

namespace tilewright {
namespace detail {

EngineState::EngineState(cl::Context context, cl::Device device)
    : context_(std::move(context)),
      device_(std::move(device)),
      profile_(describe_device(device_())),
      programs_(std::make_shared<ProgramStore>(std::make_shared<BinaryCache>(CacheOptions{}, profile_))) {
  expect_end_of_process();
}

// No lock is held while a probe runs, because a probe may call the application. Threads that ask at the same time may
// run the probe twice.
Probe EngineState::probe(Ability ability) {
  process().check();
  {
    const std::lock_guard lock(probe_mutex_);
    if (const auto found = probes_.find(ability); found != probes_.end()) return found->second;
  }
  Probe probe = run_probe(*this, ability);
  const std::lock_guard lock(probe_mutex_);
  return probes_.emplace(ability, std::move(probe)).first->second;
}

}  // namespace detail

namespace {

std::shared_ptr<detail::EngineState> new_state(const cl::Context& context, const cl::Device& device) {
  return {new detail::EngineState(context, device), detail::DriverDelete{}};
}

void check_fork(cl_device_id device) {
  const detail::OwnProcess& process = detail::process_of_driver();
  if (!process.is_current() && detail::quirks_of(describe_device(device).vendor).dies_in_fork) process.check();
}

std::shared_ptr<detail::EngineState> make_state(cl_context context, cl_device_id device) {
  if (context == nullptr) throw Error(ErrorCode::null_object, "the context is null");
  if (device == nullptr) throw Error(ErrorCode::null_object, "the device is null");
  return detail::translated([&] {
    check_fork(device);
    cl::Context owned(context, true);
    const auto devices = owned.getInfo<CL_CONTEXT_DEVICES>();
    if (std::none_of(devices.begin(), devices.end(), [&](const cl::Device& d) { return d() == device; }))
      throw Error(ErrorCode::foreign_object, "the device is not one of the context's devices");
    return new_state(owned, cl::Device(device, true));
  });
}

}  // namespace

Engine::Engine(cl_context context, cl_device_id device) : state_(make_state(context, device)) {}

Engine::Engine(const Device& device)
    : state_(detail::translated([&] {
        if (device.id == nullptr) throw Error(ErrorCode::null_object, "the device is null");
        check_fork(device.id);
        const cl::Device owned(device.id, true);
        return new_state(cl::Context(owned), owned);
      })) {}

Engine Engine::from_queue(cl_command_queue queue) {
  if (queue == nullptr) throw Error(ErrorCode::null_object, "the command queue is null");
  // Trusts the queue for its device: PoCL 5.0 does not list a sub-device among its context's devices.
  return detail::translated([&] {
    const cl::CommandQueue owned(queue, true);
    const auto device = owned.getInfo<CL_QUEUE_DEVICE>();
    check_fork(device());
    return Engine(new_state(owned.getInfo<CL_QUEUE_CONTEXT>(), device));
  });
}

cl_context Engine::context() const { return state_->context()(); }
cl_device_id Engine::device() const { return state_->device()(); }
const DeviceProfile& Engine::profile() const { return state_->profile(); }
Probe Engine::probe(Ability ability) const { return state_->probe(ability); }

void Engine::set_cache(const CacheOptions& options) {
  state_->programs()->set_cache(std::make_shared<detail::BinaryCache>(options, state_->profile()));
}

void Engine::save_programs() const { state_->programs()->save(); }
ProgramStatistics Engine::program_statistics() const { return state_->programs()->statistics(); }

}  // namespace tilewright
