#include "tuning/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/system/error_text.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/device_identity.hpp"
#include "selection/json_line.hpp"
#include "tilewright/version.hpp"
#include "tuning/measure/trial_json.hpp"

namespace tilewright::tuning {
namespace {

constexpr std::uint64_t largest_journal = std::uint64_t{1} << 30U;
constexpr std::size_t longest_message = 1U << 12U;  // bytes; build logs can be very long
constexpr std::string_view mark = R"({"tilewright_journal":1,)";

std::string header(const DeviceProfile& device) {
  return detail::to_json_line({{"tilewright_journal", 1},
                               {"device", detail::file_stem(detail::identity_of(device))},
                               {"driver", device.driver_version},
                               {"library", version}});
}

// A killed process may leave the beginning of a header.
bool is_journal(std::string_view text) { return text.starts_with(mark) || mark.starts_with(text); }

std::string key_of(const Trial& trial) { return detail::to_json_line(to_json(trial)); }

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error("the journal " + path.string() + ' ' + what);
}

std::string content_of(int descriptor, const std::filesystem::path& path, std::uint64_t limit) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail(path, "cannot be read: " + detail::error_text(errno));
  if (!S_ISREG(status.st_mode)) fail(path, "is not a regular file");
  std::string text(std::min(static_cast<std::uint64_t>(status.st_size), limit + 1), '\0');
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t count = pread(descriptor, text.data() + got, text.size() - got, static_cast<off_t>(got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot be read: " + detail::error_text(errno));
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  text.resize(got);
  return text;
}

}  // namespace

void Journal::File::close() {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// Opens and locks the file; returns its content.
std::string Journal::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe of this name must not block.
  file_.descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
  if (file_.descriptor < 0) fail(path, "cannot be written: " + detail::error_text(errno));
  // On file systems without locks, no lock is taken.
  if (flock(file_.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw JournalInUse("another process writes the journal " + path.string());
  std::string text = content_of(file_.descriptor, path, largest_journal);
  if (text.size() > largest_journal) fail(path, "is too large");
  return text;
}

Journal::Journal(const std::filesystem::path& path, const DeviceProfile& device, bool resume) {
  if (path.empty()) return;
  detail::make_directories(path.parent_path().string());  // if this fails, opening fails too
  std::string text = open(path);
  if (!is_journal(text)) {
    detail::set_aside(path, ".broken");
    file_.close();
    text = open(path);
  }
  const bool continues = resume && text.starts_with(header(device) + '\n');
  if (continues) {
    read(text);
  } else if (ftruncate(file_.descriptor, 0) != 0) {
    fail(path, "cannot be written: " + detail::error_text(errno));
  }
  // A killed run may have left a partial line, which this ends.
  write(continues ? "" : header(device));
}

bool Journal::is_foreign(const std::filesystem::path& path) {
  File file;
  file.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  return file.descriptor >= 0 && !is_journal(content_of(file.descriptor, path, mark.size()));
}

void Journal::read(const std::string& text) {
  struct Open {
    Trial trial;
    bool twice;
  };
  std::map<std::string, Open> open;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    try {
      if (line.empty()) continue;
      const auto values = detail::parse_json_line(line);
      if (!values.contains("event")) continue;
      const std::string event = detail::text(values, "event");
      if (event == "done") {
        problems_.insert_or_assign(problem_from_json(detail::field(values, "problem")).key(), true);
        continue;
      }
      Trial trial = trial_from_json(detail::field(values, "trial"));
      problems_.insert_or_assign(trial.problem.key(), false);
      const std::string key = key_of(trial);
      if (event == "begin") {
        const bool twice = open.contains(key);
        open.insert_or_assign(key, Open{std::move(trial), twice});
      } else if (event == "cut") {
        open.erase(key);
      } else if (event == "end") {
        Evaluation evaluation = evaluation_from_json(detail::field(values, "evaluation"));
        if (evaluation.timed() && evaluation.seconds == 0) throw std::runtime_error("a timed evaluation has no time");
        open.erase(key);
        known_.emplace_back(std::move(trial), std::move(evaluation));
      }
    } catch (const std::exception&) {
      continue;  // a partial line, or a variant that has changed: counts as not tried
    }
  }
  for (auto& [key, begun] : open) {
    if (begun.twice) {
      known_.emplace_back(std::move(begun.trial),
                          Evaluation{.status = Status::crash, .message = "it ended the process twice"});
    } else {
      interrupted_.push_back(std::move(begun.trial));
    }
  }
}

bool Journal::is_unfinished(const Problem& problem) const {
  const auto found = problems_.find(problem.key());
  return found != problems_.end() && !found->second;
}

void Journal::write(const std::string& line) {
  if (file_.descriptor < 0) return;
  const std::lock_guard lock(mutex_);
  // A full disk must not end the run: trials that are not recorded are repeated. The line after a partial one begins on
  // a new line.
  const std::string bytes = (half_a_line_ ? "\n" : "") + line + '\n';
  ssize_t written = 0;
  do written = ::write(file_.descriptor, bytes.data(), bytes.size());
  while (written < 0 && errno == EINTR);
  if (written > 0) half_a_line_ = static_cast<std::size_t>(written) < bytes.size();
}

void Journal::begin(const Trial& trial) {
  write(detail::to_json_line({{"event", "begin"}, {"trial", to_json(trial)}}));
}

void Journal::end(const Trial& trial, const Evaluation& evaluation) {
  Evaluation noted = evaluation;
  if (noted.message.size() > longest_message) noted.message.resize(longest_message);
  write(detail::to_json_line({{"event", "end"}, {"trial", to_json(trial)}, {"evaluation", to_json(noted)}}));
}

void Journal::cut(const Trial& trial) { write(detail::to_json_line({{"event", "cut"}, {"trial", to_json(trial)}})); }

void Journal::done(const Problem& problem) {
  write(detail::to_json_line({{"event", "done"}, {"problem", problem->to_json()}}));
}

}  // namespace tilewright::tuning
