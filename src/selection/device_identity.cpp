#include "selection/device_identity.hpp"

#include "runtime/device/driver_quirks.hpp"
#include "runtime/system/plain_text.hpp"
#include "selection/json_line.hpp"

namespace tilewright::detail {
namespace {

// FNV-1a. Used for file names only.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

// Returns the text as it is after being written to a file and read again: bytes that are not UTF-8 are replaced.
std::string as_stored(const std::string& text) {
  return parse_json(to_json_line(nlohmann::ordered_json(text))).get<std::string>();
}

}  // namespace

DeviceIdentity identity_of(const DeviceProfile& device) {
  return {as_stored(device.platform_name), as_stored(device.vendor_name), as_stored(device.name), device.compute_units,
          device.local_memory_bytes};
}

std::string file_stem(const DeviceIdentity& identity) {
  std::string stem;
  for (const char c : identity.device) {
    if (is_letter(c) || is_digit(c)) {
      stem += lower_case(c);
    } else if (!stem.empty() && stem.back() != '-') {
      stem += '-';
    }
  }
  if (stem.size() > 60) stem.resize(60);
  const std::string whole = identity.platform + '\n' + identity.vendor + '\n' + identity.device + '\n' +
                            std::to_string(identity.compute_units) + '\n' + std::to_string(identity.local_memory_bytes);
  return stem + '-' + hexadecimal_text(hash_of(whole)).substr(0, 8);
}

std::string device_family(const DeviceProfile& device) {
  const std::string vendor(to_string(device.vendor));
  if (device.type == DeviceType::gpu && !device.architecture.empty()) return vendor + '-' + device.architecture;
  if (device.type == DeviceType::cpu && !quirks_of(device.vendor).is_simulator)
    return vendor + "-cpu-" + std::to_string(32 * device.native_vector_width_f32) + "-bit";
  return {};
}

}  // namespace tilewright::detail
