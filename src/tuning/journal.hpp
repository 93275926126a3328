#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/device.hpp"
#include "tuning/evaluation.hpp"

namespace tilewright::tuning {

/// What a tuning run did so far, a line of JSON for every beginning and every end of an evaluation, so that a run that
/// is killed goes on where it was. What began and did not end has crashed the process, and is not tried again.
/// Written with one call a line; safe to use from several threads.
class Journal {
 public:
  using Entry = std::pair<Trial, Evaluation>;

  /// Nothing is written where `path` is empty. Unless `resume`, an old journal is replaced; one of another device or
  /// driver is in any case. Throws std::runtime_error where the file cannot be written.
  Journal(const std::filesystem::path& path, const DeviceProfile& device, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What the journal held when it was opened.
  const std::vector<Entry>& known() const { return known_; }

  void begin(const Trial& trial);
  void end(const Trial& trial, const Evaluation& evaluation);

 private:
  void read(const std::string& text);
  void write(const std::string& line);

  std::mutex mutex_;
  int descriptor_ = -1;
  std::vector<Entry> known_;
};

}  // namespace tilewright::tuning
