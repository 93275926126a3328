// The operations that can be tuned.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selection/carry_over.hpp"
#include "tilewright/records.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

// Of any operation.
using ProblemRecord = Record<Problem>;
using ProblemRecords = Records<Problem>;

/// What the choice by records is for problems of one operation; reads the records once.
using Chooser = std::function<Explanation(const Problem&)>;

/// What the tuner asks of an operation beside its problems.
struct Operation {
  std::string_view name;
  std::vector<VariantInfo> (*variants)();

  /// A list of problems of one of shape_presets(): of different kinds, for which a device likes different choices, in
  /// sizes that go with the device.
  std::vector<Problem> (*preset)(std::string_view name, DataType type, const DeviceProfile& device);

  // What Tunable::to_json() and to_json(Choice) write. These throw std::exception with what is wrong.
  Problem (*problem_from_json)(const nlohmann::json& values);
  Configuration (*configuration_from_json)(std::string_view variant, const nlohmann::json& values);

  // As the functions of tilewright/records.hpp.
  ProblemRecords (*load_records)(const DeviceProfile& device);
  ProblemRecords (*read_records)(const std::filesystem::path& file, const DeviceProfile& device);
  void (*update_records)(const DeviceProfile& device, std::span<const ProblemRecord> gone,
                         std::span<const ProblemRecord> added);
  detail::CarryOver<Problem> (*carry_over)(std::span<const ProblemRecord> records, const DeviceProfile& device);
  nlohmann::ordered_json (*record_to_json)(const ProblemRecord& record);

  Chooser (*chooser)(const DeviceProfile& device);
};

/// All of them, gemm first.
std::span<const Operation* const> operations();

/// Throws std::invalid_argument, naming those there are.
const Operation& find_operation(std::string_view name);

/// Names of the lists of problems that every operation has, the default first.
std::vector<std::string> shape_presets();

}  // namespace tilewright::tuning
