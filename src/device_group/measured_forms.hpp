// The forms of a group's last calls, each with the sets of devices that it measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>
#include <vector>

#include "device_group/measured_sets.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::detail {

/// Remembers a few forms of calls: problems and options. The form that was used longest ago is forgotten.
class MeasuredForms {
 public:
  /// Returns the sets of a form; null if it is not known.
  MeasuredSets* find(const GemmProblem& problem, const DeviceGroupOptions& options) {
    const auto found = std::find_if(forms_.begin(), forms_.end(), [&](const Form& form) {
      return form.problem == problem && form.options == options;
    });
    if (found == forms_.end()) return nullptr;
    forms_.splice(forms_.begin(), forms_, found);
    return &found->sets;
  }

  MeasuredSets* add(const GemmProblem& problem, const DeviceGroupOptions& options, std::vector<DeviceSet> sets) {
    constexpr std::size_t most = 16;
    if (forms_.size() == most) forms_.pop_back();
    forms_.push_front({problem, options, MeasuredSets(std::move(sets))});
    return &forms_.front().sets;
  }

 private:
  struct Form {
    GemmProblem problem;
    DeviceGroupOptions options;
    MeasuredSets sets;
  };

  std::list<Form> forms_;  // used last first
};

}  // namespace tilewright::detail
