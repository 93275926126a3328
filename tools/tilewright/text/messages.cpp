#include "text/messages.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <new>
#include <string>

#include "text/json_output.hpp"
#include "text/page.hpp"
#include "text/progress.hpp"
#include "text/text.hpp"
#include "tilewright/error.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

std::atomic<bool> json_messages = false;

std::string_view key_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::error:
      return "error";
    case MessageKind::warning:
      return "warning";
    case MessageKind::note:
      return "note";
    case MessageKind::debug:
      return "debug";
  }
  return "error";
}

// Writes the line in one call, so that messages of several threads do not mix.
void write(const std::string& line) {
  clear_progress();
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

void print(MessageKind kind, std::string_view text, const Json& more) {
  if (json_messages) {
    Json line{{std::string(key_of(kind)), text}};
    line.update(more);
    write(json_line(line));
    return;
  }
  const Style style = kind == MessageKind::error ? Style::bad : Style::strong;
  write(fmt::format("{} {}\n", styled("tilewright:", style, error_page()), printable(text)));
}

}  // namespace

bool is_wrong_usage(const std::exception& error) {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return true;
  const auto* const ours = dynamic_cast<const Error*>(&error);
  return ours != nullptr &&
         (ours->code() == ErrorCode::unknown_variant || ours->code() == ErrorCode::unknown_parameter);
}

void use_json_messages() { json_messages = true; }

void print_message(MessageKind kind, std::string_view text) { print(kind, text, Json::object()); }

int report_failure(const std::exception& error, std::string_view hint) {
  const bool usage = is_wrong_usage(error);
  const int status = usage ? ExitStatus::wrong_usage : ExitStatus::failed;
  std::string text =
      dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "the host has too little memory" : error.what();
  // Readers of files report malformed JSON themselves; this catches the remaining cases.
  if (dynamic_cast<const nlohmann::json::exception*>(&error) != nullptr)
    text = "unexpected JSON: " + text.substr(text.find(']') + 1);
  if (usage) text += fmt::format("{} `{}`", text.ends_with('?') ? " See" : "; see", hint);
  Json more{{"status", status}};
  if (const auto* const ours = dynamic_cast<const Error*>(&error)) more["code"] = to_string(ours->code());
  print(MessageKind::error, text, more);
  return status;
}

}  // namespace tilewright::tool
