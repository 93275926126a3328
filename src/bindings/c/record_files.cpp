#include <algorithm>
#include <filesystem>

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"
#include "gemm/fitted_times.hpp"
#include "runtime/system/text_file.hpp"
#include "selection/records_header.hpp"
#include "tilewright/c/records.h"
#include "tilewright/records.hpp"
#include "tuning/tunable/operation.hpp"

using namespace tilewright;

namespace {

std::filesystem::path file_of(const DeviceProfile& device) {
  if (const auto file = records_file(device)) return *file;
  throw Error(ErrorCode::invalid_records,
              "there is no directory for records; name one in TILEWRIGHT_DATA_DIR, or set HOME");
}

// Copies the records of the user, with the device's fitted constants in the header. Constants alone are enough.
void export_records(const DeviceProfile& device, const char* to) {
  const std::filesystem::path from = file_of(device);
  const bool has_times = detail::stored_fitted_times(device) != nullptr;
  std::error_code error;
  if (has_times && !std::filesystem::exists(from, error)) {
    if (std::filesystem::exists(std::filesystem::symlink_status(to, error)))
      throw Error(ErrorCode::invalid_records, std::string(to) + " exists; name a new file");
    detail::write_text(to, detail::header_with_fitted_times(device) + '\n');
    return;
  }
  if (!std::filesystem::copy_file(from, to, std::filesystem::copy_options::none, error))
    throw Error(ErrorCode::invalid_records, from.string() + " cannot be copied to " + to + ": " + error.message());
  const std::string copy = detail::read_text(to).value_or("");
  if (has_times && detail::kind_of_header(copy, detail::identity_of(device)) == detail::HeaderKind::right)
    detail::write_text(to,
                       detail::header_with_fitted_times(device) + copy.substr(std::min(copy.find('\n'), copy.size())));
}

}  // namespace

tilewright_status tilewright_records_file(cl_device_id device, char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    *text = c::owned_text(file_of(describe_device(device)).string());
  });
}

tilewright_status tilewright_records_load(cl_device_id device, char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    const DeviceProfile profile = describe_device(device);
    c::Json json{{"records", c::Json::array()}, {"problems", c::Json::array()}};
    for (const tuning::Operation* const operation : tuning::operations()) {
      const tuning::ProblemRecords found = operation->load_records(profile);
      for (const tuning::ProblemRecord& record : found.records) {
        json["records"].push_back(operation->record_to_json(record));
        json["records"].back()["source"] = record.source;
      }
      // Each operation reports a damaged file.
      for (const std::string& problem : found.problems)
        if (std::find(json["problems"].begin(), json["problems"].end(), problem) == json["problems"].end())
          json["problems"].push_back(problem);
    }
    *text = c::owned_text(json);
  });
}

tilewright_status tilewright_records_import(cl_device_id device, const char* file, uint64_t* added) {
  return c::guarded([&] {
    c::expect_argument(file, "file");
    const DeviceProfile profile = describe_device(device);
    std::vector<tuning::ProblemRecords> found;  // all are read before any is stored
    for (const tuning::Operation* const operation : tuning::operations())
      found.push_back(operation->read_records(file, profile));
    const auto times = detail::fitted_times_in(detail::read_text(file).value_or(""), file, profile);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      tuning::operations()[i]->update_records(profile, {}, found[i].records);
      count += found[i].records.size();
    }
    if (times != nullptr) detail::store_fitted_times(profile, *times);
    if (added != nullptr) *added = count;
  });
}

tilewright_status tilewright_records_export(cl_device_id device, const char* file) {
  return c::guarded([&] {
    c::expect_argument(file, "file");
    export_records(describe_device(device), file);
  });
}

tilewright_status tilewright_records_clear(cl_device_id device, char** backup) {
  return c::guarded([&] {
    const DeviceProfile profile = describe_device(device);
    const auto cleared = clear_records(profile);
    detail::clear_fitted_times(profile);
    if (backup != nullptr) *backup = c::owned_text(cleared ? cleared->backup.string() : std::string());
  });
}
