#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// Hands a message to the application's callback, if it set one.
void log(std::string_view message);

/// The same, but each message once in a process: for what is found out again and again.
void log_once(const std::string& message);

/// The same as log() for messages that are no warnings.
void debug(std::string_view message);

/// For the handler of an exception that does not leave the library: debug() with `what` and the exception's message.
/// An exception of the callback itself is dropped, as no one is left to report it to.
void debug_failure(std::string_view what) noexcept;

/// While one lives, nothing that its thread has to say reaches the application.
class NoMessages {
 public:
  NoMessages();
  ~NoMessages();
  NoMessages(const NoMessages&) = delete;
  NoMessages& operator=(const NoMessages&) = delete;

 private:
  bool warnings_were_off_;
  bool details_were_off_;
};

}  // namespace tilewright::detail
