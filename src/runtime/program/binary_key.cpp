#include "runtime/program/binary_key.hpp"

#include <algorithm>

#include "runtime/device/driver_quirks.hpp"
#include "runtime/program/binary_container.hpp"
#include "runtime/system/little_endian.hpp"
#include "runtime/system/sha256.hpp"
#include "runtime/system/user_directory.hpp"
#include "tilewright/version.hpp"

namespace tilewright::detail {

std::string encode(const Fields& fields) {
  std::string bytes;
  for (const auto& [name, value] : fields)
    for (const std::string& text : {name, value}) {
      append_u64(bytes, text.size());
      bytes += text;
    }
  return bytes;
}

std::string field(const Fields& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& entry) { return entry.first == name; });
  return found == fields.end() ? "" : found->second;
}

Fields driver_environment(const DeviceProfile& device) {
  Fields fields{
      {"platform_name", device.platform_name},
      {"platform_version", device.platform_version},
      {"device_name", device.name},
      {"device_vendor", device.vendor_name},
      {"device_version", device.device_version},
      {"driver_version", device.driver_version},
      {"address_bits", std::to_string(device.address_bits)},
  };
  for (const char* const variable : quirks_of(device.vendor).compiling_variables)
    fields.emplace_back(variable, trusted_environment(variable));
  return fields;
}

BinaryKey make_binary_key(const Fields& environment, const ProgramRequest& request) {
  BinaryKey key;
  key.fields = {{"format", std::to_string(container_format)},
                {"library", std::string(version)},
                {"source_sha256", to_hex(sha256(request.source))},
                {"source_bytes", std::to_string(request.source.size())},
                {"options", request.options}};
  key.fields.insert(key.fields.end(), environment.begin(), environment.end());
  key.hash = to_hex(sha256(encode(key.fields)));
  key.environment = to_hex(sha256(encode(environment))).substr(0, 16);
  return key;
}

}  // namespace tilewright::detail
