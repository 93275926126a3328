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

/// Another process writes the journal.
class JournalInUse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a tuning run did so far, a line of JSON for every beginning and every end of an evaluation, so that a run that
/// is killed goes on where it was. What began twice and never ended has crashed the process, and is not tried again.
/// One process writes it at a time. Written with one call a line; safe to use from several threads.
class Journal {
 public:
  using Entry = std::pair<Trial, Evaluation>;

  /// Nothing is written where `path` is empty. Unless `resume`, an old journal is replaced; one of another device or
  /// driver is in any case. What is no journal of this version is renamed, "NAME.broken".
  /// Throws JournalInUse, std::runtime_error where the file cannot be read or written.
  Journal(const std::filesystem::path& path, const DeviceProfile& device, bool resume);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What the journal held when it was opened.
  const std::vector<Entry>& known() const { return known_; }

  /// What a former run had begun, once, when it was killed.
  const std::vector<Trial>& interrupted() const { return interrupted_; }

  /// Whether a former run tried something on a problem and was not done with it.
  bool is_unfinished(const Problem& problem) const;

  void begin(const Trial& trial);
  void end(const Trial& trial, const Evaluation& evaluation);
  /// The trial was given up for a reason that is not its own.
  void cut(const Trial& trial);
  /// There is nothing left to do for a problem.
  void done(const Problem& problem);

  /// Whether a file is there that is no journal of this version, whoever's it is.
  static bool is_foreign(const std::filesystem::path& path);

 private:
  // Closing it gives the lock back.
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
  std::map<std::string, bool> problems_;  // by their keys; whether they are done
};

}  // namespace tilewright::tuning
