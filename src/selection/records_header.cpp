#include "selection/records_header.hpp"

#include <limits>
#include <stdexcept>

#include "selection/json_line.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

// Thrown for a file of records in an unknown format, which a newer library wrote.
class OtherVersion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

RecordsHeader header_in(std::string_view text) {
  const Json line = parse_json_line(text.substr(0, text.find('\n')));
  const Json& found = field(line, "tilewright_records");
  if (found != records_version)
    throw OtherVersion("it has version " + printable(found.dump()) + "; this library reads and writes version " +
                       std::to_string(records_version));
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  // Drivers may use names of any length.
  const auto word = [&](const char* name) { return tilewright::detail::text(line, name, longest_json_line); };
  return {{word("platform"), word("vendor"), word("device"), whole_number(line, "compute_units", 0, any),
           whole_number(line, "local_memory_bytes", 0, any)},
          word("family")};
}

}  // namespace

std::string header_line(const DeviceProfile& device) {
  const DeviceIdentity identity = identity_of(device);
  return to_json_line({{"tilewright_records", records_version},
                       {"platform", identity.platform},
                       {"vendor", identity.vendor},
                       {"device", identity.device},
                       {"compute_units", identity.compute_units},
                       {"local_memory_bytes", identity.local_memory_bytes},
                       {"family", device_family(device)}});
}

RecordsHeader parse_header(std::string_view text, const std::string& name) {
  try {
    return header_in(text);
  } catch (const OtherVersion& error) {
    throw Error(ErrorCode::invalid_records, name + " was written by another version of Tilewright: " + error.what());
  } catch (const std::exception& error) {
    throw Error(ErrorCode::invalid_records, name + " is not a file of records: " + printable(error.what()));
  }
}

HeaderKind kind_of_header(std::string_view text, const DeviceIdentity& identity) {
  try {
    return header_in(text).identity == identity ? HeaderKind::right : HeaderKind::foreign;
  } catch (const OtherVersion&) {
    return HeaderKind::other;
  } catch (const std::exception&) {
    return HeaderKind::none;
  }
}

}  // namespace tilewright::detail
