// Messages on standard error, and the exit status.
#pragma once

#include <exception>
#include <string_view>

namespace tilewright::tool {

/// Exit statuses besides 0, which means that everything was done and verified.
struct ExitStatus {
  static constexpr int failed = 1;       ///< something could not be done, or a result is wrong
  static constexpr int wrong_usage = 2;  ///< the command line is invalid
};

/// The kind of a message; also its key in JSON.
enum class MessageKind { error, warning, note, debug };

/// Switches to JSON messages, one object per line: {"error": "..."}, or "warning", "note" or "debug".
void use_json_messages();

/// Prints "tilewright: TEXT" after clearing the progress line. Thread-safe.
void print_message(MessageKind kind, std::string_view text);

inline void print_error(std::string_view text) { print_message(MessageKind::error, text); }
inline void print_note(std::string_view text) { print_message(MessageKind::note, text); }

/// Whether a failure is due to the command line, whatever the device and files: the exit status is 2.
bool is_wrong_usage(const std::exception& error);

/// Prints why the command failed and returns its exit status. `hint` names the help to read; it is added for usage
/// errors. JSON messages also contain the library's error code and the exit status.
int report_failure(const std::exception& error, std::string_view hint);

}  // namespace tilewright::tool
