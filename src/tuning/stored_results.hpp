// Results of tuning in the device's file of records.
#pragma once

#include <vector>

#include "tuning/journal.hpp"
#include "tuning/tunable/operation.hpp"
#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// Removes problems that have their own record, made with this driver. Keeps problems that a resumed run had started;
/// `journal` may be null.
std::vector<Problem> without_records(std::vector<Problem> problems, const Operation& operation,
                                     const DeviceProfile& device, const Journal* journal);

/// Replaces all records of a problem, because old times must not compete with the winner that was reported.
void store(const Tuned& tuned, const Operation& operation, const DeviceProfile& device);

/// Judges the device's records by each other and marks those that apply only to their own problems.
detail::CrossValidation<Problem> cross_validate_records(const Operation& operation, const DeviceProfile& device);

}  // namespace tilewright::tuning
