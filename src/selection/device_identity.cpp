#include "selection/device_identity.hpp"

#include <cctype>
#include <cstdio>

#include "runtime/device/driver_quirks.hpp"
#include "selection/json_line.hpp"

namespace tilewright::detail {
namespace {

// FNV-1a: names files, protects nothing.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

// What is not UTF-8 is replaced in a file, and the text that is read again must be the same.
std::string as_stored(const std::string& text) {
  return nlohmann::json::parse(to_json_line(nlohmann::ordered_json(text))).get<std::string>();
}

}  // namespace

DeviceIdentity identity_of(const DeviceProfile& device) {
  return {as_stored(device.platform_name), as_stored(device.vendor_name), as_stored(device.name), device.compute_units,
          device.local_memory_bytes};
}

std::string file_stem(const DeviceIdentity& identity) {
  std::string stem;
  for (const char c : identity.device) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) {
      stem += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!stem.empty() && stem.back() != '-') {
      stem += '-';
    }
  }
  if (stem.size() > 60) stem.resize(60);
  const std::string whole = identity.platform + '\n' + identity.vendor + '\n' + identity.device + '\n' +
                            std::to_string(identity.compute_units) + '\n' + std::to_string(identity.local_memory_bytes);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_of(whole)));
  return stem + '-' + std::string(digits, 8);
}

std::string device_family(const DeviceProfile& device) {
  const std::string vendor(to_string(device.vendor));
  if (device.type == DeviceType::gpu && !device.architecture.empty()) return vendor + '-' + device.architecture;
  if (device.type == DeviceType::cpu && !quirks_of(device.vendor).is_simulator)
    return vendor + "-cpu-" + std::to_string(32 * device.native_vector_width_f32) + "-bit";
  return {};
}

}  // namespace tilewright::detail
