// The devices of a group that take part in a call.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

/// Whether an error is a failure of a device. Other errors are mistakes in the caller's arguments.
bool is_device_failure(const Error& error);

/// Whether a device lacks the memory for a tile or cannot allocate it, although no OpenCL call failed.
bool has_no_room(const Error& error);

/// Returns how many devices a set has.
std::size_t number_of(const std::vector<bool>& devices);

/// The engines of a group. A device that fails while a call is planned is left out of the plan.
class GroupMembers {
 public:
  explicit GroupMembers(const std::vector<Engine>& engines) : engines_(engines), failures_(engines.size()) {}

  std::size_t size() const { return engines_.size(); }
  const Engine& engine(std::size_t device) const { return engines_[device]; }

  bool takes_part(std::size_t device) const { return !failures_[device]; }
  std::size_t count() const;
  bool is_complete() const { return count() == size(); }
  bool are_cpus() const;
  /// Returns the devices of a set that take part; empty if none does.
  std::vector<bool> taking_part_of(std::vector<bool> set) const;

  /// Returns why a device does not take part; empty if it does.
  const std::optional<Error>& failure(std::size_t device) const { return failures_[device]; }

  void exclude(std::size_t device, const Error& error) { failures_[device] = error; }

  /// If no device takes part, throws the first device's error with a message that holds the errors of all devices.
  void require_one() const;

  /// Calls function(device) for each device that takes part. Leaves out a device whose call throws a device failure;
  /// passes on other exceptions. Throws Error if no device is left.
  template <class Function>
  void for_each(Function&& function) {
    for (std::size_t device = 0; device < size(); ++device) {
      if (!takes_part(device)) continue;
      try {
        translated([&] { function(device); });
      } catch (const Error& error) {
        if (!is_device_failure(error)) throw;
        exclude(device, error);
      }
    }
    require_one();
  }

 private:
  std::vector<Engine> engines_;
  std::vector<std::optional<Error>> failures_;
};

}  // namespace tilewright::detail
