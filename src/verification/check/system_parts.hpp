#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/element_type.hpp"
#include "verification/check/checked_operation.hpp"
#include "verification/common/system_case.hpp"

namespace tilewright::verification {

/// The cases of a part, and what they vary, such as "batches".
struct CaseGroup {
  std::string name;
  std::vector<std::string> cases;
};

/// Returns the parts of a check for each type, one for each group of cases(type), for example "f32 batches". A type
/// that the device lacks is one skipped part.
template <class Cases>
std::vector<CheckPart> system_parts(const DeviceProfile& device, const Cases& cases,
                                    SystemTypes types = SystemTypes::real) {
  std::vector<CheckPart> parts;
  for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128}) {
    if (is_complex(type) && types == SystemTypes::real) continue;
    const std::string name(to_string(type));
    if (std::string why = detail::why_unsupported(type, device); !why.empty()) {
      parts.push_back({.name = name, .skipped = std::move(why)});
      continue;
    }
    for (CaseGroup& group : cases(type))
      if (!group.cases.empty()) parts.push_back({.name = name + ' ' + group.name, .cases = std::move(group.cases)});
  }
  return parts;
}

}  // namespace tilewright::verification
