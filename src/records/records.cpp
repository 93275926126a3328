#include "tilewright/records.hpp"

#include <set>

#include "gemm/configuration_check.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "records/record_file.hpp"
#include "records/record_key.hpp"
#include "records/text_file.hpp"
#include "runtime/embedded_file.hpp"
#include "runtime/log.hpp"
#include "runtime/user_directory.hpp"
#include "tilewright/error.hpp"

namespace tilewright {
namespace {

using namespace detail;
namespace fs = std::filesystem;

bool switched_off() {
  const std::string value = trusted_environment("TILEWRIGHT_RECORDS");
  if (!value.empty() && value != "off" && value != "on")
    log_once("TILEWRIGHT_RECORDS is '" + value + "'; it can be off or on");
  return value == "off";
}

// A damaged file of thousands of lines is told in some.
void shorten(std::vector<std::string>& problems) {
  constexpr std::size_t most = 20;
  if (problems.size() <= most) return;
  const std::size_t more = problems.size() - most;
  problems.resize(most);
  problems.push_back("and " + std::to_string(more) + " more");
}

// Keeps what the device can run; the rules are asked again for every problem that a record is used for.
RecordSet usable(RecordFile file, const DeviceProfile& device, const std::string& source) {
  RecordSet set{{}, std::move(file.problems)};
  const bool same_device = file.header.identity == identity_of(device);
  for (GemmRecord& record : file.records) {
    const GemmVariant& variant = find_gemm_variant(record.variant);
    std::string why = why_unsupported(variant, record.problem, device);
    if (why.empty()) why = broken_rule(variant, record.configuration, record.problem, device);
    if (why.empty()) {
      record.source = source;
      record.same_device = record.same_device && same_device;
      set.records.push_back(std::move(record));
    } else {
      set.problems.push_back(source + ": " + record.variant + " with " + to_string(record.configuration) +
                             " does not fit the device: " + why);
    }
  }
  shorten(set.problems);
  return set;
}

// Of several records with the same key the last one counts, as it would if it had been stored.
void drop_repeated(std::vector<GemmRecord>& records) {
  std::set<std::string> keys;
  std::vector<GemmRecord> kept;
  for (auto record = records.rbegin(); record != records.rend(); ++record)
    if (keys.insert(key_of(*record)).second) kept.push_back(std::move(*record));
  records.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

RecordSet users_records(const DeviceProfile& device) {
  const auto path = records_file(device);
  if (!path) return {};
  try {
    const auto text = read_text(*path);
    if (!text || text->empty()) return {};
    RecordFile file = parse_records(*text, path->string());
    if (file.header.identity != identity_of(device))
      return {{}, {path->string() + " holds records of another device, " + file.header.identity.device}};
    RecordSet set = usable(std::move(file), device, path->string());
    drop_repeated(set.records);
    return set;
  } catch (const std::exception& error) {
    return {{}, {error.what()}};
  }
}

RecordSet shipped_records(const DeviceProfile& device) {
  RecordSet result;
  const std::string family = device_family(device);
  for (const bool exact : {true, false})
    for (const EmbeddedFile& shipped : embedded_records()) {
      const std::string name(shipped.path);
      const RecordsHeader header = parse_header(shipped.text, name);
      const bool same = header.identity == identity_of(device);
      if (exact ? !same : same || family.empty() || header.family != family) continue;
      RecordSet set = usable(parse_records(shipped.text, name), device, std::string(shipped_mark) + name);
      result.problems.insert(result.problems.end(), set.problems.begin(), set.problems.end());
      result.records = std::move(set.records);
      if (!result.records.empty()) return result;
    }
  return result;
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
  RecordSet all = users_records(device);
  std::set<std::string> users;
  for (const GemmRecord& record : all.records) users.insert(key_of(record));
  RecordSet shipped = shipped_records(device);
  for (GemmRecord& record : shipped.records)
    if (users.empty() || !users.contains(key_of(record))) all.records.push_back(std::move(record));
  std::move(shipped.problems.begin(), shipped.problems.end(), std::back_inserter(all.problems));
  return all;
}

RecordSet read_records(const fs::path& file, const DeviceProfile& device) {
  const auto text = read_text(file);
  if (!text) throw Error(ErrorCode::invalid_records, "there is no file " + file.string());
  RecordFile read = parse_records(*text, file.string());
  if (read.header.identity != identity_of(device))
    throw Error(ErrorCode::invalid_records, file.string() + " holds records of " + read.header.identity.device +
                                                " with " + std::to_string(read.header.identity.compute_units) +
                                                " compute units, not of " + device.name);
  return usable(std::move(read), device, file.string());
}

}  // namespace tilewright
