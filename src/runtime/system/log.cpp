#include "tilewright/log.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "runtime/system/log.hpp"

namespace tilewright {
namespace {

// Sets a flag until the end of a scope.
class Switched {
 public:
  explicit Switched(bool& flag) : flag_(flag) { flag_ = true; }
  ~Switched() { flag_ = false; }
  Switched(const Switched&) = delete;
  Switched& operator=(const Switched&) = delete;

 private:
  bool& flag_;
};

// Per thread.
thread_local bool warnings_are_off = false;
thread_local bool details_are_off = false;

struct Sink {
  std::mutex mutex;
  std::shared_ptr<const LogCallback> callback;
  std::set<std::string> sent_once;

  void set(LogCallback replacement) {
    auto shared = replacement ? std::make_shared<const LogCallback>(std::move(replacement)) : nullptr;
    const std::lock_guard lock(mutex);
    callback.swap(shared);
  }

  // Remembers a message as sent only if a callback is installed.
  bool is_new(const std::string& message) {
    const std::lock_guard lock(mutex);
    return callback && sent_once.insert(message).second;
  }

  // Messages from within a callback are not sent to that callback: the recursion would not end.
  void send(std::string_view message, bool& is_off) {
    if (is_off) return;
    std::shared_ptr<const LogCallback> current;
    {
      const std::lock_guard lock(mutex);
      current = callback;
    }
    if (!current) return;
    const Switched off(is_off);
    (*current)(message);
  }
};

// Leaked on purpose: a thread may still log while the process ends.
Sink& warnings() {
  static Sink& instance = *new Sink;
  return instance;
}

Sink& details() {
  static Sink& instance = *new Sink;
  return instance;
}

}  // namespace

void set_log_callback(LogCallback callback) { warnings().set(std::move(callback)); }
void set_debug_callback(LogCallback callback) { details().set(std::move(callback)); }

void detail::log(std::string_view message) { warnings().send(message, warnings_are_off); }
void detail::log_once(const std::string& message) {
  if (!warnings_are_off && warnings().is_new(message)) log(message);
}
void detail::debug(std::string_view message) { details().send(message, details_are_off); }
void detail::debug_failure(std::string_view what, std::string_view name, std::string_view after) noexcept try {
  std::string message(what);
  message.append(name).append(after);
  try {
    throw;
  } catch (const std::exception& error) {
    message += std::string(": ") + error.what();
  } catch (...) {
    message += ": an exception of an unknown type";
  }
  debug(message);
} catch (...) {
  // No memory for the message, or the callback threw.
}

detail::NoMessages::NoMessages()
    : warnings_were_off_(std::exchange(warnings_are_off, true)),
      details_were_off_(std::exchange(details_are_off, true)) {}

detail::NoMessages::~NoMessages() {
  warnings_are_off = warnings_were_off_;
  details_are_off = details_were_off_;
}

}  // namespace tilewright
