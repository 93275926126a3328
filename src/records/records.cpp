#include "tilewright/records.hpp"

#include <algorithm>

#include "gemm/configuration_check.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "records/record_file.hpp"
#include "runtime/atomic_file.hpp"
#include "runtime/embedded_file.hpp"
#include "runtime/user_directory.hpp"
#include "tilewright/error.hpp"

namespace tilewright {
namespace {

using namespace detail;
namespace fs = std::filesystem;

bool switched_off() { return trusted_environment("TILEWRIGHT_RECORDS") == "off"; }

constexpr std::uint64_t largest_file = 64U << 20U;  // bytes; a device's records take some hundred kilobytes

std::optional<std::string> content_of(const fs::path& file) { return read_file(file.string(), largest_file); }

// Keeps what the device can run; the rules are asked again for every problem that a record is used for.
RecordSet usable(RecordFile file, const DeviceProfile& device, std::string source) {
  RecordSet set{std::move(source), file.header.identity == identity_of(device), {}, std::move(file.problems)};
  for (GemmRecord& record : file.records) {
    const GemmVariant& variant = find_gemm_variant(record.variant);
    std::string why = why_unsupported(variant, record.problem, device);
    if (why.empty()) why = broken_rule(variant, record.configuration, record.problem, device);
    if (why.empty()) {
      set.records.push_back(std::move(record));
    } else {
      set.problems.push_back(set.source + ": " + record.variant + " with " + to_string(record.configuration) +
                             " does not fit the device: " + why);
    }
  }
  return set;
}

bool same_key(const GemmRecord& left, const GemmRecord& right) {
  return left.problem == right.problem && left.variant == right.variant && left.configuration == right.configuration;
}

void write(const fs::path& file, const DeviceProfile& device, std::span<const GemmRecord> records) {
  if (!write_file(file.string(), records_text(device, records), Durability::power_cut))
    throw Error(ErrorCode::invalid_records, "the records could not be written to " + file.string());
}

}  // namespace

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

RecordSet load_records(const DeviceProfile& device) {
  if (switched_off()) return {};
  RecordSet result;
  if (const auto path = records_file(device)) {
    if (const auto text = content_of(*path)) {
      try {
        result = usable(parse_records(*text, path->string()), device, path->string());
        if (!result.records.empty()) return result;
      } catch (const std::exception& error) {
        result.problems.emplace_back(error.what());
      }
    }
  }

  const std::string family = device_family(device);
  for (const bool exact : {true, false})
    for (const EmbeddedFile& shipped : embedded_records()) {
      const std::string name(shipped.path);
      const RecordsHeader header = parse_header(shipped.text, name);
      if (exact ? header.identity != identity_of(device) : family.empty() || header.family != family) continue;
      RecordSet set = usable(parse_records(shipped.text, name), device, "shipped: " + name);
      set.problems.insert(set.problems.begin(), result.problems.begin(), result.problems.end());
      if (!set.records.empty()) return set;
      result.problems = std::move(set.problems);
    }
  return {{}, true, {}, std::move(result.problems)};
}

RecordSet read_records(const fs::path& file, const DeviceProfile& device) {
  const auto text = content_of(file);
  if (!text) throw Error(ErrorCode::invalid_records, "cannot read " + file.string());
  RecordFile read = parse_records(*text, file.string());
  if (read.header.identity != identity_of(device))
    throw Error(ErrorCode::invalid_records, file.string() + " holds records of " + read.header.identity.device +
                                                " with " + std::to_string(read.header.identity.compute_units) +
                                                " compute units, not of " + device.name);
  return usable(std::move(read), device, file.string());
}

void store_records(const DeviceProfile& device, std::span<const GemmRecord> records) {
  const auto path = records_file(device);
  if (!path)
    throw Error(ErrorCode::invalid_records,
                "there is no directory for records: set TILEWRIGHT_DATA_DIR, XDG_DATA_HOME or HOME");
  std::vector<GemmRecord> all;
  if (const auto text = content_of(*path)) {
    try {
      all = parse_records(*text, path->string()).records;
    } catch (const Error&) {
      fs::rename(*path, fs::path(*path) += ".broken");  // set aside, not lost
    }
  }
  for (const GemmRecord& record : records) {
    std::erase_if(all, [&](const GemmRecord& old) { return same_key(old, record); });
    all.push_back(record);
  }
  make_directories(path->parent_path().string());  // where that fails, so does writing
  write(*path, device, all);
}

void write_records(const fs::path& file, const DeviceProfile& device, std::span<const GemmRecord> records) {
  write(file, device, records);
}

}  // namespace tilewright
