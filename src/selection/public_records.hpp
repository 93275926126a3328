// The functions of tilewright/records.hpp. Each operation instantiates them for its problem, in the file that also
// instantiates its Selections.
#pragma once

#include "selection/load_records.hpp"
#include "selection/record_store.hpp"

namespace tilewright {
namespace detail {

/// Returns the measurement with its problem in another form.
template <class To, class From>
Record<To> with_problem(const Record<From>& from, To problem) {
  return {.problem = std::move(problem),
          .variant = from.variant,
          .configuration = from.configuration,
          .seconds = from.seconds,
          .variation = from.variation,
          .timings = from.timings,
          .untuned_seconds = from.untuned_seconds,
          .driver = from.driver,
          .library = from.library,
          .date = from.date,
          .same_device = from.same_device,
          .only_own = from.only_own,
          .source = from.source};
}

template <class Problem>
std::vector<Record<typename StoredForm<Problem>::Type>> stored_records(std::span<const Record<Problem>> records) {
  std::vector<Record<typename StoredForm<Problem>::Type>> result;
  result.reserve(records.size());
  for (const auto& record : records)
    result.push_back(with_problem(record, StoredForm<Problem>::stored(record.problem)));
  return result;
}

template <class Problem>
Records<Problem> loaded_records(Records<typename StoredForm<Problem>::Type> found) {
  if constexpr (std::is_same_v<Problem, typename StoredForm<Problem>::Type>) {
    return found;
  } else {
    Records<Problem> result{{}, std::move(found.problems)};
    for (const auto& record : found.records)
      result.records.push_back(with_problem(record, StoredForm<Problem>::loaded(record.problem)));
    return result;
  }
}

}  // namespace detail

template <class Problem>
Records<Problem> load_records(const DeviceProfile& device) {
  return detail::loaded_records<Problem>(detail::load<typename detail::StoredForm<Problem>::Type>(device));
}

template <class Problem>
Records<Problem> read_records(const std::filesystem::path& file, const DeviceProfile& device) {
  return detail::loaded_records<Problem>(detail::read<typename detail::StoredForm<Problem>::Type>(file, device));
}

template <class Problem>
void update_records(const DeviceProfile& device, std::span<const Record<Problem>> removed,
                    std::span<const Record<Problem>> added) {
  const auto stored_removed = detail::stored_records(removed), stored_added = detail::stored_records(added);
  detail::update<typename detail::StoredForm<Problem>::Type>(device, stored_removed, stored_added);
}

template <class Problem>
void store_records(const DeviceProfile& device, std::span<const Record<Problem>> records) {
  update_records<Problem>(device, {}, records);
}

template <class Problem>
void write_records(const std::filesystem::path& file, const DeviceProfile& device,
                   std::span<const Record<Problem>> records) {
  const auto stored = detail::stored_records(records);
  detail::write_text(file, detail::records_text<typename detail::StoredForm<Problem>::Type>(device, stored));
}

}  // namespace tilewright

/// Instantiates the functions for a problem, as exported symbols. For use in namespace tilewright.
#define TILEWRIGHT_INSTANTIATE_RECORDS(Problem)                                                              \
  template TILEWRIGHT_API Records<Problem> load_records(const DeviceProfile&);                               \
  template TILEWRIGHT_API Records<Problem> read_records(const std::filesystem::path&, const DeviceProfile&); \
  template TILEWRIGHT_API void update_records(const DeviceProfile&, std::span<const Record<Problem>>,        \
                                              std::span<const Record<Problem>>);                             \
  template TILEWRIGHT_API void store_records(const DeviceProfile&, std::span<const Record<Problem>>);        \
  template TILEWRIGHT_API void write_records(const std::filesystem::path&, const DeviceProfile&,             \
                                             std::span<const Record<Problem>>)
