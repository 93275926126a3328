// Lines of JSON that anybody may have written, read within bounds.
#pragma once

#include <string>
#include <string_view>

#include "selection/json.hpp"

namespace tilewright::detail {

inline constexpr std::size_t longest_json_line = 1U << 16U;  ///< bytes
inline constexpr int deepest_json = 16;                      ///< objects and arrays within each other

/// The JSON value of a text, with the same numbers in any locale. Where the text is not JSON, throws
/// nlohmann::json::exception or, if `throws` is false, returns a discarded value.
nlohmann::json parse_json(std::string_view text, bool throws = true);

/// The object that a line holds. Throws std::runtime_error, with what is wrong in words that can be printed, where the
/// line is too long, nested too deeply, not JSON or not an object.
nlohmann::json parse_json_line(std::string_view line);

/// JSON on one line, without its end. What is not UTF-8 is replaced, so nothing is thrown for it.
std::string to_json_line(const nlohmann::ordered_json& values);

/// Text as it can be shown in a message: short, and without what a terminal would obey.
std::string printable(std::string_view text);

// The values of an object. Each throws std::runtime_error, with the name, where there is none or it is not as it should
// be.
const nlohmann::json& field(const nlohmann::json& values, const char* name);
std::uint64_t whole_number(const nlohmann::json& values, const char* name, std::uint64_t least, std::uint64_t most);
double number(const nlohmann::json& values, const char* name, double least, double most);
std::string text(const nlohmann::json& values, const char* name, std::size_t longest = 1024);
bool truth(const nlohmann::json& values, const char* name);

}  // namespace tilewright::detail
