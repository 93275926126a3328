#include <algorithm>
#include <cmath>

#include "out_of_core/speeds.hpp"
#include "runtime/system/plain_text.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

bool is_speed_or_unknown(double speed) { return std::isfinite(speed) && speed >= 0; }

bool is_usable_speed(double speed) { return std::isfinite(speed) && speed > 0; }

double limited_speed(double speed) { return std::clamp(speed, 1e-100, 1e100); }

TransferSpeeds limited_speeds(TransferSpeeds speeds) {
  for (const auto& [name, member] : speed_fields) {
    double& speed = speeds.*member;
    speed = is_usable_speed(speed) ? limited_speed(speed) : 0;
  }
  return speeds;
}

void check_speeds(const TransferSpeeds& speeds, const std::string& name, bool needs_flops) {
  for (const auto& [field, member] : speed_fields) {
    const double value = speeds.*member;
    const bool needs_value = needs_flops && member == &TransferSpeeds::flops;
    if (needs_value ? is_usable_speed(value) : is_speed_or_unknown(value)) continue;
    throw Error(ErrorCode::invalid_configuration, name + "." + field + " is " + general_text(value) +
                                                      ", but must be finite and " +
                                                      (needs_value ? "greater than 0" : "at least 0 (0: unknown)"));
  }
}

}  // namespace tilewright::detail
