// What a program binary depends on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/program/program_store.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Named values in a fixed order.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// Every name and value after its length, so that no two different lists give the same bytes.
std::string encode(const Fields& fields);

/// The value of a field, empty where there is none.
std::string field(const Fields& fields, std::string_view name);

/// What a binary depends on beside the program: platform, device, driver, and settings of the driver that change what
/// it compiles. Nothing that changes from run to run, such as a clock or an index.
Fields driver_environment(const DeviceProfile& device);

struct BinaryKey {
  Fields fields;            ///< everything; the source by its digest
  std::string hash;         ///< SHA-256 of the fields, 64 hexadecimal digits
  std::string environment;  ///< the driver environment's part of it, 16 hexadecimal digits
};

BinaryKey make_binary_key(const Fields& environment, const ProgramRequest& request);

}  // namespace tilewright::detail
