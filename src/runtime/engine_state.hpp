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

/// What the copies of an Engine and its plans share.
class EngineState {
 public:
  EngineState(cl::Context context, cl::Device device);

  const cl::Context& context() const { return context_; }
  const cl::Device& device() const { return device_; }
  const DeviceProfile& profile() const { return profile_; }
  /// For tests: the limits of another device. Before the engine is used.
  void set_profile(DeviceProfile profile) { profile_ = std::move(profile); }

  cl::Program program(const ProgramRequest& request) { return programs_->get(context_, device_, request); }
  /// What a plan keeps to tell of its first launch; it holds no engine.
  const std::shared_ptr<ProgramStore>& programs() const { return programs_; }

  /// Where the engine was made: in a child made by fork() it cannot be used.
  const OwnProcess& process() const { return programs_->process(); }

  Probe probe(Ability ability);

  /// An operation's own part of the state, default-constructed when first asked for. T must not own an Engine:
  /// that would keep both alive for ever.
  template <class T>
  T& part() {
    return *shared_part<T>();
  }
  /// The same for those who may outlive the engine.
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
