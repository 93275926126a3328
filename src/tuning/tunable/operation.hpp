// The table of operations that can be tuned.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selection/cross_validation.hpp"
#include "tilewright/records.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

// Records of any operation.
using ProblemRecord = Record<Problem>;
using ProblemRecords = Records<Problem>;

/// Explains the choice by records for problems of one operation; reads the records once.
using Chooser = std::function<Explanation(const Problem&)>;

/// An operation's interface to the tuner, apart from its problems.
struct Operation {
  std::string_view name;
  std::vector<VariantInfo> (*variants)();

  /// Returns one list of shape_presets(): problems of different kinds, for which a device prefers different choices, in
  /// sizes that fit the device.
  std::vector<Problem> (*preset)(std::string_view name, DataType type, const DeviceProfile& device);

  // Read problems and configurations from JSON. They throw std::exception with the reason.
  Problem (*problem_from_json)(const nlohmann::json& values);
  Configuration (*configuration_from_json)(std::string_view variant, const nlohmann::json& values);

  // Equivalents of the functions in tilewright/records.hpp.
  ProblemRecords (*load_records)(const DeviceProfile& device);
  ProblemRecords (*load_stored_records)(const DeviceProfile& device);  ///< even if the environment disables records
  ProblemRecords (*read_records)(const std::filesystem::path& file, const DeviceProfile& device);
  void (*update_records)(const DeviceProfile& device, std::span<const ProblemRecord> gone,
                         std::span<const ProblemRecord> added);
  detail::CrossValidation<Problem> (*cross_validate)(std::span<const ProblemRecord> records,
                                                     const DeviceProfile& device);
  nlohmann::ordered_json (*record_to_json)(const ProblemRecord& record);

  Chooser (*chooser)(const DeviceProfile& device);
};

/// Returns all operations, gemm first.
std::span<const Operation* const> operations();

/// Returns the operation of a name. Throws std::invalid_argument with the known names.
const Operation& find_operation(std::string_view name);

/// Returns the names of the lists of problems that every operation has, the default first.
std::vector<std::string> shape_presets();

}  // namespace tilewright::tuning
