#include "tuning/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <stdexcept>

#include "records/device_identity.hpp"
#include "runtime/atomic_file.hpp"
#include "runtime/user_directory.hpp"
#include "tilewright/version.hpp"
#include "tuning/trial_json.hpp"

namespace tilewright::tuning {
namespace {

constexpr std::uint64_t largest_journal = std::uint64_t{1} << 30U;

std::string header(const DeviceProfile& device) {
  const nlohmann::ordered_json line{{"tilewright_journal", 1},
                                    {"device", detail::file_stem(detail::identity_of(device))},
                                    {"driver", device.driver_version},
                                    {"library", version}};
  return line.dump();
}

std::string key_of(const Trial& trial) { return to_json(trial).dump(); }

}  // namespace

Journal::Journal(const std::filesystem::path& path, const DeviceProfile& device, bool resume) {
  if (path.empty()) return;
  detail::make_directories(path.parent_path().string());
  bool continues = false;
  if (resume) {
    const std::string text = detail::read_file(path.string(), largest_journal).value_or("");
    continues = text.starts_with(header(device) + '\n');
    if (continues) read(text);
  }
  const int truncate = continues ? 0 : O_TRUNC;
  descriptor_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | truncate, 0600);
  if (descriptor_ < 0)
    throw std::runtime_error("the journal " + path.string() + " cannot be written: " + std::strerror(errno));
  // A killed run may have left half a line.
  write(continues ? "" : header(device));
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Journal::read(const std::string& text) {
  std::map<std::string, Trial> open;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    try {
      const auto values = nlohmann::json::parse(line);
      if (!values.contains("event")) continue;
      Trial trial = trial_from_json(values.at("trial"));
      const std::string key = key_of(trial);
      if (values.at("event") == "begin") {
        open.insert_or_assign(key, std::move(trial));
      } else {
        open.erase(key);
        known_.emplace_back(std::move(trial), evaluation_from_json(values.at("evaluation")));
      }
    } catch (const std::exception&) {
      continue;  // half a line, or of a variant that changed: as if it had not been tried
    }
  }
  for (auto& [key, trial] : open)
    known_.emplace_back(std::move(trial), Evaluation{.status = Status::crash, .message = "it ended the process"});
}

void Journal::write(const std::string& line) {
  if (descriptor_ < 0) return;
  const std::string bytes = line + '\n';
  const std::lock_guard lock(mutex_);
  // A full disk must not end the run; what is not noted is tried again.
  [[maybe_unused]] const auto written = ::write(descriptor_, bytes.data(), bytes.size());
}

void Journal::begin(const Trial& trial) {
  write(nlohmann::ordered_json{{"event", "begin"}, {"trial", to_json(trial)}}.dump());
}

void Journal::end(const Trial& trial, const Evaluation& evaluation) {
  write(
      nlohmann::ordered_json{{"event", "end"}, {"trial", to_json(trial)}, {"evaluation", to_json(evaluation)}}.dump());
}

}  // namespace tilewright::tuning
