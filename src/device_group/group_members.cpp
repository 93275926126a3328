#include "device_group/group_members.hpp"

#include <algorithm>
#include <string>

namespace tilewright::detail {

bool is_device_failure(const Error& error) {
  switch (error.code()) {
    case ErrorCode::device_lost:
    case ErrorCode::out_of_memory:
    case ErrorCode::opencl_failure:
    case ErrorCode::build_failed:
      return true;
    default:
      return error.opencl_status() != CL_SUCCESS;
  }
}

bool has_no_room(const Error& error) {
  return error.opencl_status() == CL_SUCCESS &&
         (error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::invalid_configuration);
}

std::size_t number_of(const std::vector<bool>& devices) {
  return static_cast<std::size_t>(std::count(devices.begin(), devices.end(), true));
}

std::size_t GroupMembers::count() const {
  return static_cast<std::size_t>(
      std::count_if(failures_.begin(), failures_.end(), [](const auto& failure) { return !failure; }));
}

bool GroupMembers::are_cpus() const {
  for (std::size_t device = 0; device < size(); ++device)
    if (takes_part(device) && engines_[device].profile().type != DeviceType::cpu) return false;
  return true;
}

std::vector<bool> GroupMembers::taking_part_of(std::vector<bool> set) const {
  for (std::size_t device = 0; device < set.size(); ++device) set[device] = set[device] && takes_part(device);
  return std::find(set.begin(), set.end(), true) != set.end() ? set : std::vector<bool>();
}

void GroupMembers::require_one() const {
  if (count() > 0) return;
  std::string message = "no device of the group can compute this product, and C is unchanged";
  for (std::size_t device = 0; device < size(); ++device)
    message += "; " + engines_[device].profile().name + ": " + failures_[device]->what();
  throw Error(failures_.front()->code(), message, failures_.front()->opencl_status());
}

}  // namespace tilewright::detail
