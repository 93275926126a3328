#include "selection/record_book.hpp"

namespace tilewright::detail {
namespace {

// Number of waves of work-groups that a device runs. The groups of a few waves end together, those of many do not.
double waves(double groups, double compute_units) {
  const double count = groups / std::max(1.0, compute_units);
  return count <= 4 ? std::ceil(count) : count;
}

}  // namespace

double weight_at(double distance) { return std::pow(distance + 1, -3); }

double scaled_seconds(double seconds, const GroupWork& measured, const GroupWork& wanted, double compute_units) {
  constexpr double launch_seconds = 5e-6;  // fixed cost of a call, whatever its size
  const double work = std::max(seconds - launch_seconds, seconds / 10);
  const double ratio = wanted.per_group / measured.per_group;
  return seconds - work + work * ratio * waves(wanted.groups, compute_units) / waves(measured.groups, compute_units);
}

}  // namespace tilewright::detail
