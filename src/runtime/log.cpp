#include "tilewright/log.hpp"

#include <memory>
#include <mutex>
#include <set>

#include "runtime/log.hpp"

namespace tilewright {
namespace {

struct Sink {
  std::mutex mutex;
  std::shared_ptr<const LogCallback> callback;
  std::set<std::string> sent_once;

  void set(LogCallback replacement) {
    auto shared = replacement ? std::make_shared<const LogCallback>(std::move(replacement)) : nullptr;
    const std::lock_guard lock(mutex);
    callback.swap(shared);
  }

  // Not of a message that nobody would get.
  bool is_new(const std::string& message) {
    const std::lock_guard lock(mutex);
    return callback && sent_once.insert(message).second;
  }

  void send(std::string_view message) {
    std::shared_ptr<const LogCallback> current;
    {
      const std::lock_guard lock(mutex);
      current = callback;
    }
    if (current) (*current)(message);
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

void detail::log(std::string_view message) { warnings().send(message); }
void detail::log_once(const std::string& message) {
  if (warnings().is_new(message)) log(message);
}
void detail::debug(std::string_view message) { details().send(message); }

}  // namespace tilewright
