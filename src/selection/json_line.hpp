// Bounded reading of JSON lines from untrusted files.
#pragma once

#include <string>
#include <string_view>

#include "selection/json.hpp"

namespace tilewright::detail {

inline constexpr std::size_t longest_json_line = 1U << 16U;  ///< bytes
inline constexpr int deepest_json = 16;                      ///< levels of nested objects and arrays

/// Parses a JSON value, with the same numbers in any locale. If the text is not JSON, throws nlohmann::json::exception
/// or, if `throws` is false, returns a discarded value.
nlohmann::json parse_json(std::string_view text, bool throws = true);

/// Parses a line that holds a JSON object. Throws std::runtime_error with a printable reason if the line is too long,
/// nested too deeply, not JSON or not an object.
nlohmann::json parse_json_line(std::string_view line);

/// Writes JSON on one line, without the line break. Bytes that are not UTF-8 are replaced, so they cause no exception.
std::string to_json_line(const nlohmann::ordered_json& values);

/// Prepares a text for a message: shortens it and replaces control characters.
std::string printable(std::string_view text);

// Read the values of an object. Each function throws std::runtime_error with the name if the value is missing or
// invalid.
const nlohmann::json& field(const nlohmann::json& values, const char* name);
std::uint64_t whole_number(const nlohmann::json& values, const char* name, std::uint64_t least, std::uint64_t most);
double number(const nlohmann::json& values, const char* name, double least, double most);
std::string text(const nlohmann::json& values, const char* name, std::size_t longest = 1024);
bool boolean(const nlohmann::json& values, const char* name);

}  // namespace tilewright::detail
