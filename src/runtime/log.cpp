#include "tilewright/log.hpp"

#include <memory>
#include <mutex>

#include "runtime/log.hpp"

namespace tilewright {
namespace {

// Leaked on purpose: a thread may still log while the process ends.
struct Sink {
  std::mutex mutex;
  std::shared_ptr<const LogCallback> callback;
};

Sink& sink() {
  static Sink& instance = *new Sink;
  return instance;
}

}  // namespace

void set_log_callback(LogCallback callback) {
  auto shared = callback ? std::make_shared<const LogCallback>(std::move(callback)) : nullptr;
  const std::lock_guard lock(sink().mutex);
  sink().callback = std::move(shared);
}

void detail::log(std::string_view message) {
  std::shared_ptr<const LogCallback> callback;
  {
    const std::lock_guard lock(sink().mutex);
    callback = sink().callback;
  }
  if (callback) (*callback)(message);
}

}  // namespace tilewright
