// A record as a line of JSON.
#pragma once

#include <stdexcept>
#include <string>

#include "gemm/variant.hpp"
#include "records/device_identity.hpp"
#include "records/json.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

inline constexpr int records_version = 1;

nlohmann::ordered_json to_json(const GemmProblem& problem);

/// The problem in its row-major form, of sizes that a device can have. Throws std::exception with what is wrong.
GemmProblem problem_from_json(const nlohmann::json& values);

nlohmann::ordered_json to_json(const Configuration& configuration);

/// In the order of the variant's parameters. Throws std::exception where they are not exactly those of the variant.
Configuration configuration_from_json(const GemmVariant& variant, const nlohmann::json& values);

nlohmann::ordered_json to_json(const GemmRecord& record);

/// Throws std::exception with what is wrong: a missing or mistyped field, an unknown variant, a variant whose
/// parameters have changed since, times that are none. Every number has bounds, see the definition.
GemmRecord record_from_json(const nlohmann::json& line);

/// The first line of a file: the version, and whose records they are.
nlohmann::ordered_json header_json(const DeviceIdentity& identity, const std::string& family);

struct RecordsHeader {
  DeviceIdentity identity;
  std::string family;
};

/// A file of records whose format this library does not know: a newer one wrote it.
class OtherVersion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws OtherVersion, or another std::exception where the line is no header.
RecordsHeader header_from_json(const nlohmann::json& line);

/// "NT": the transposes of A and B.
std::string transposes_of(const GemmProblem& problem);

}  // namespace tilewright::detail
