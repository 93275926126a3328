#include "tuning/stored_results.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tilewright/records.hpp"

namespace tilewright::tuning {

std::vector<Problem> without_records(std::vector<Problem> problems, const Operation& operation,
                                     const DeviceProfile& device, const Journal* journal) {
  const auto file = records_file(device);
  if (!file) return problems;
  const ProblemRecords known = operation.load_records(device);
  std::erase_if(problems, [&](const Problem& problem) {
    if (journal != nullptr && journal->is_unfinished(problem)) return false;
    return std::any_of(known.records.begin(), known.records.end(), [&](const ProblemRecord& record) {
      return record.source == *file && record.same_device && record.problem == problem &&
             record.driver == device.driver_version;
    });
  });
  return problems;
}

void store(const Tuned& tuned, const Operation& operation, const DeviceProfile& device) {
  const std::vector<ProblemRecord> records = records_of(tuned, device);
  if (records.empty()) return;
  std::vector<ProblemRecord> gone;
  if (const auto file = records_file(device); file && std::filesystem::exists(*file))
    for (ProblemRecord& record : operation.read_records(*file, device).records)
      if (record.problem == tuned.problem) gone.push_back(std::move(record));
  operation.update_records(device, gone, records);
}

detail::CrossValidation<Problem> cross_validate_records(const Operation& operation, const DeviceProfile& device) {
  const auto file = records_file(device);
  if (!file || !std::filesystem::exists(*file)) return {};
  std::vector<ProblemRecord> records = operation.read_records(*file, device).records;
  std::erase_if(records, [&](const ProblemRecord& record) {
    return !record.same_device || record.driver != device.driver_version;
  });
  auto found = operation.cross_validate(records, device);
  std::vector<ProblemRecord> gone, added;
  for (ProblemRecord& record : records) {
    const bool only_own =
        std::find(found.only_own.begin(), found.only_own.end(), record.problem) != found.only_own.end();
    if (record.only_own == only_own) continue;
    gone.push_back(record);
    record.only_own = only_own;
    added.push_back(std::move(record));
  }
  if (!added.empty()) operation.update_records(device, gone, added);
  return found;
}

}  // namespace tilewright::tuning
