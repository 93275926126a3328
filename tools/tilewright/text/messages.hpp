// What the command says on standard error, and its exit status.
#pragma once

#include <exception>
#include <string_view>

namespace tilewright::tool {

/// Besides 0, which says that everything that was asked for was done and verified.
struct ExitStatus {
  static constexpr int failed = 1;       ///< something could not be done, or its result is wrong
  static constexpr int wrong_usage = 2;  ///< the command line cannot be understood
};

/// The key of a message in JSON.
enum class MessageKind { error, warning, note, debug };

/// From now on every message is one JSON object on a line of its own: {"error": "..."}, or "warning", "note", "debug".
void use_json_messages();

/// "tilewright: TEXT". Removes the line of progress first. May be called from any thread.
void print_message(MessageKind kind, std::string_view text);

inline void print_error(std::string_view text) { print_message(MessageKind::error, text); }
inline void print_note(std::string_view text) { print_message(MessageKind::note, text); }

/// Says why the command ends and returns its exit status. `hint` names the help to read; it is added where the command
/// line was wrong. In JSON the library's error code and the exit status are told as well.
int report_failure(const std::exception& error, std::string_view hint);

}  // namespace tilewright::tool
