#include "selection/json_line.hpp"

#include <stdexcept>

#include "runtime/system/plain_text.hpp"

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

// Counted before parsing, because functions on a parsed value may recurse once per level.
bool is_too_deep(std::string_view line) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') quoted = !quoted;
    if (quoted) {
      if (c == '\\') ++i;
    } else if (c == '{' || c == '[') {
      if (++depth > deepest_json) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

}  // namespace

// The parser takes the decimal point from localeconv(), one byte of it, and reads numbers with strtod().
nlohmann::json parse_json(std::string_view text, bool throws) {
  const CLocale c_locale;
  return Json::parse(text, nullptr, throws);
}

nlohmann::json parse_json_line(std::string_view line) {
  if (line.size() > longest_json_line)
    throw std::runtime_error("it is longer than " + std::to_string(longest_json_line) + " bytes");
  if (is_too_deep(line))
    throw std::runtime_error("it is nested more than " + std::to_string(deepest_json) + " levels deep");
  Json values;
  try {
    values = parse_json(line);
  } catch (const Json::parse_error& error) {
    throw std::runtime_error("it is not JSON from byte " + std::to_string(error.byte) + " on");
  } catch (const Json::exception&) {
    throw std::runtime_error("it is JSON with a number that is out of range");
  }
  if (!values.is_object()) throw std::runtime_error("it is not a JSON object");
  return values;
}

std::string to_json_line(const nlohmann::ordered_json& values) {
  return values.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string printable(std::string_view text) {
  constexpr std::size_t most = 300;
  std::string result;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return text.size() > most ? result + "..." : result;
}

const nlohmann::json& field(const nlohmann::json& values, const char* name) {
  const auto found = values.find(name);
  if (found == values.end()) throw std::runtime_error(std::string("it has no ") + name);
  return *found;
}

std::uint64_t whole_number(const nlohmann::json& values, const char* name, std::uint64_t least, std::uint64_t most) {
  const Json& value = field(values, name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most)
    throw std::runtime_error(std::string(name) + " is not a whole number from " + std::to_string(least) + " to " +
                             std::to_string(most));
  return value.get<std::uint64_t>();
}

double number(const nlohmann::json& values, const char* name, double least, double most) {
  const Json& value = field(values, name);
  if (!value.is_number() || !(value.get<double>() >= least) || !(value.get<double>() <= most))
    throw std::runtime_error(std::string(name) + " is not a number from " + general_text(least) + " to " +
                             general_text(most));
  return value.get<double>();
}

std::string text(const nlohmann::json& values, const char* name, std::size_t longest) {
  const Json& value = field(values, name);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > longest)
    throw std::runtime_error(std::string(name) + " is not a text of at most " + std::to_string(longest) + " bytes");
  return value.get<std::string>();
}

bool boolean(const nlohmann::json& values, const char* name) {
  const Json& value = field(values, name);
  if (!value.is_boolean()) throw std::runtime_error(std::string(name) + " is neither true nor false");
  return value.get<bool>();
}

}  // namespace tilewright::detail
