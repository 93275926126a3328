// The internal state of an engine.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "runtime/device/opencl.hpp"
#include "runtime/program/program_store.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

/// State shared by the copies of an Engine and by its plans.
class EngineState {
 public:
  EngineState(cl::Context context, cl::Device device);

  const cl::Context& context() const { return context_; }
  const cl::Device& device() const { return device_; }
  const DeviceProfile& profile() const { return profile_; }
  /// For tests: sets the limits of another device. Call before the engine is used.
  void set_profile(DeviceProfile profile) { profile_ = std::move(profile); }

  cl::Program program(const ProgramRequest& request) { return programs_->get(context_, device_, request); }
  /// A plan keeps this store to report its first launch. The store holds no engine.
  const std::shared_ptr<ProgramStore>& programs() const { return programs_; }

  /// The process in which the engine was made. A child made by fork() cannot use the engine.
  const OwnProcess& process() const { return programs_->process(); }

  Probe probe(Ability ability);

  /// Returns an operation's own part of the state, default-constructed on first use. T must not own an Engine: the
  /// cycle would keep both alive forever.
  template <class T>
  T& part() {
    return *shared_part<T>();
  }
  /// Returns shared ownership of part<T>(), for callers that may outlive the engine.
  template <class T>
  std::shared_ptr<T> shared_part() {
    const std::lock_guard lock(mutex_);
    auto& slot = parts_[typeid(T)];
    if (!slot) slot = std::make_shared<T>();
    return std::static_pointer_cast<T>(slot);
  }

 private:
  cl::Context context_;
  cl::Device device_;
  DeviceProfile profile_;
  std::shared_ptr<ProgramStore> programs_;
  std::mutex mutex_;
  std::map<std::type_index, std::shared_ptr<void>> parts_;
  std::mutex probe_mutex_;
  std::map<Ability, Probe> probes_;
};

}  // namespace tilewright::detail
