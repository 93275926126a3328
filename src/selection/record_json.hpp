// A record as a line of JSON.
#pragma once

#include <stdexcept>
#include <string>

#include "selection/json.hpp"
#include "selection/json_line.hpp"
#include "selection/operation.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

nlohmann::ordered_json to_json(const Configuration& configuration);

/// Reads a configuration, in the order of the parameters. Throws std::exception if the names differ from the variant's.
Configuration configuration_from_json(std::string_view variant, const ParameterList& parameters,
                                      const nlohmann::json& values);

// The fields of a record apart from its problem, variant and configuration. Bounds on times, which no device exceeds,
// keep all arithmetic on times from overflowing.
struct Measurement {
  double seconds, variation, untuned_seconds;
  unsigned timings;
  std::string driver, library, date;
  bool same_device, only_own;
};
void append(nlohmann::ordered_json& line, const Measurement& measurement);
Measurement measurement_from_json(const nlohmann::json& line);

template <class Problem>
nlohmann::ordered_json to_json(const Record<Problem>& record) {
  nlohmann::ordered_json line = RecordFormat<Problem>::to_json(record.problem);
  line["variant"] = record.variant;
  line["configuration"] = to_json(record.configuration);
  append(line, {record.seconds, record.variation, record.untuned_seconds, record.timings, record.driver, record.library,
                record.date, record.same_device, record.only_own});
  return line;
}

/// Whether a line is of this operation. Throws std::exception if the library does not know the line's operation.
template <class Problem>
bool is_of(const nlohmann::json& line) {
  const std::string operation = text(line, "operation");
  if (!is_operation(operation)) throw std::runtime_error("its operation is unknown to this version");
  return operation == Operation<Problem>::name;
}

/// Reads a record. Throws std::exception with the reason: a missing or mistyped field, an unknown variant, changed
/// parameters, or invalid times. Every number has bounds.
template <class Problem>
Record<Problem> record_from_json(const nlohmann::json& line) {
  Record<Problem> record;
  record.problem = RecordFormat<Problem>::from_json(line);
  record.variant = text(line, "variant");
  // A variant may have been renamed since.
  if constexpr (requires { Operation<Problem>::present_name(record.variant); })
    record.variant = Operation<Problem>::present_name(record.variant);
  const Variant<Problem>& variant = find_variant<Problem>(record.variant);
  record.configuration = configuration_from_json(variant.name, variant.parameters, field(line, "configuration"));
  Measurement measured = measurement_from_json(line);
  record.seconds = measured.seconds;
  record.variation = measured.variation;
  record.timings = measured.timings;
  record.untuned_seconds = measured.untuned_seconds;
  record.driver = std::move(measured.driver);
  record.library = std::move(measured.library);
  record.date = std::move(measured.date);
  record.same_device = measured.same_device;
  record.only_own = measured.only_own;
  return record;
}

/// Returns the line of a record in a file, without the line break.
template <class Problem>
std::string line_of(const Record<Problem>& record) {
  return to_json_line(to_json(record));
}

}  // namespace tilewright::detail
