#include "selection/record_places.hpp"

#include "runtime/system/embedded_file.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/device_identity.hpp"
#include "selection/record_key.hpp"
#include "selection/records_header.hpp"
#include "tilewright/records.hpp"

namespace tilewright {

namespace fs = std::filesystem;
using namespace detail;

bool detail::records_switched_off() {
  const std::string value = trusted_environment("TILEWRIGHT_RECORDS");
  if (!value.empty() && value != "off" && value != "on")
    log_once("TILEWRIGHT_RECORDS is '" + value + "'; use off or on");
  return value == "off";
}

std::vector<ShippedFile> detail::shipped_files(const DeviceProfile& device) {
  std::vector<ShippedFile> own, family;
  const std::string family_name = device_family(device);
  for (const EmbeddedFile& shipped : embedded_records()) {
    const std::string name(shipped.path);
    const RecordsHeader header = parse_header(shipped.text, name);
    const ShippedFile file{shipped.text, name, std::string(shipped_mark) + name};
    if (header.identity == identity_of(device))
      own.push_back(file);
    else if (!family_name.empty() && header.family == family_name)
      family.push_back(file);
  }
  own.insert(own.end(), family.begin(), family.end());
  return own;
}

std::optional<fs::path> records_directory() {
  const UserDirectory directory = find_user_directory(user_data);
  if (directory.path.empty() || !why_untrusted(directory).empty()) return std::nullopt;
  return directory.path;
}

std::optional<fs::path> records_file(const DeviceProfile& device) {
  const auto directory = records_directory();
  if (!directory) return std::nullopt;
  return *directory / (file_stem(identity_of(device)) + ".jsonl");
}

}  // namespace tilewright
