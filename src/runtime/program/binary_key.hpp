// The properties that a program binary depends on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/program/program_store.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Named values in a fixed order.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// Writes every name and value after its length, so that different lists always give different bytes.
std::string encode(const Fields& fields);

/// Returns the value of a field; empty if there is none.
std::string field(const Fields& fields, std::string_view name);

/// Returns what a binary depends on apart from the program: platform, device, driver, and driver settings that change
/// what is compiled. Holds nothing that changes from run to run, such as a clock or an index.
Fields driver_environment(const DeviceProfile& device);

struct BinaryKey {
  Fields fields;            ///< all fields; the source is given by its digest
  std::string hash;         ///< SHA-256 of the fields, 64 hexadecimal digits
  std::string environment;  ///< the driver environment's digest, cut to 16 hexadecimal digits
};

BinaryKey make_binary_key(const Fields& environment, const ProgramRequest& request);

}  // namespace tilewright::detail
