// The journal of a tuning run, from which a killed run resumes.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/device.hpp"
#include "tuning/measure/evaluation.hpp"

namespace tilewright::tuning {

/// Thrown if another process writes the journal.
class JournalInUse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The progress of a tuning run: one line of JSON for every beginning and every end of an evaluation. A killed run
/// resumes from it. A trial that began twice and never ended has crashed the process and is not repeated. Only one
/// process writes a journal at a time, with one system call per line. Thread-safe.
class Journal {
 public:
  using Entry = std::pair<Trial, Evaluation>;

  /// Writes nothing if `path` is empty. Replaces an old journal unless `resume` is set, and always one of another
  /// device or driver. Renames a file that is no journal of this version to "NAME.broken". Throws JournalInUse, or
  /// std::runtime_error if the file cannot be read or written.
  Journal(const std::filesystem::path& path, const DeviceProfile& device, bool resume);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The evaluations that the journal held when it was opened.
  const std::vector<Entry>& known() const { return known_; }

  /// Trials that an earlier run had begun, once, when it was killed.
  const std::vector<Trial>& interrupted() const { return interrupted_; }

  /// Whether an earlier run tried something on a problem and did not finish it.
  bool is_unfinished(const Problem& problem) const;

  void begin(const Trial& trial);
  void end(const Trial& trial, const Evaluation& evaluation);
  /// Records that the trial was given up for a reason unrelated to it.
  void cut(const Trial& trial);
  /// Records that nothing is left to do for a problem.
  void done(const Problem& problem);

  /// Whether a file exists that is not a journal of this version.
  static bool is_foreign(const std::filesystem::path& path);

 private:
  // Closing the file releases the lock.
  struct File {
    int descriptor = -1;
    File() = default;
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    void close();
  };

  std::string open(const std::filesystem::path& path);
  void read(const std::string& text);
  void write(const std::string& line);

  std::mutex mutex_;
  File file_;
  bool half_a_line_ = false;
  std::vector<Entry> known_;
  std::vector<Trial> interrupted_;
  std::map<std::string, bool> problems_;  // by key; true: done
};

}  // namespace tilewright::tuning
