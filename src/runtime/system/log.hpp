#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// Hands a message to the application's callback, if it set one.
void log(std::string_view message);

/// The same, but each message once in a process: for what is found out again and again.
void log_once(const std::string& message);

/// The same as log() for what is no warning.
void debug(std::string_view message);

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
