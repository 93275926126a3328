#include "tilewright/configuration.hpp"

#include <algorithm>
#include <charconv>

#include "tilewright/error.hpp"

namespace tilewright {
namespace {

constexpr std::string_view separators = ", ";

Configuration::Entry parse_entry(std::string_view entry) {
  const auto equals = entry.find('=');
  std::int64_t value = 0;
  if (equals != std::string_view::npos && equals > 0) {
    const char* const end = entry.data() + entry.size();
    const auto [stop, error] = std::from_chars(entry.data() + equals + 1, end, value);
    if (error == std::errc() && stop == end) return {std::string(entry.substr(0, equals)), value};
  }
  throw Error(ErrorCode::invalid_configuration,
              "cannot read '" + std::string(entry) + "': expected name=integer, as in tile_m=128,tile_n=64");
}

}  // namespace

Configuration Configuration::parse(std::string_view text) {
  Configuration result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) {
      auto [name, value] = parse_entry(text.substr(at, end - at));
      if (result.contains(name))
        throw Error(ErrorCode::invalid_configuration, "parameter '" + name + "' is given twice");
      result.set(name, value);
    }
    at = end + 1;
  }
  return result;
}

std::int64_t Configuration::operator[](std::string_view name) const {
  // Names in one configuration differ by their lengths or last letters, like item_m and item_n. Most comparisons
  // therefore need no call; choosing makes hundreds of look-ups.
  for (const auto& [key, value] : entries_)
    if (key.size() == name.size() && (name.empty() || key.back() == name.back()) && key == name) return value;
  throw Error(ErrorCode::unknown_parameter, "there is no parameter '" + std::string(name) + "'");
}

bool Configuration::contains(std::string_view name) const {
  return std::any_of(begin(), end(), [&](const Entry& entry) { return entry.first == name; });
}

void Configuration::set(std::string_view name, std::int64_t value) {
  for (auto& entry : entries_)
    if (entry.first == name) {
      entry.second = value;
      return;
    }
  entries_.emplace_back(name, value);
}

void Configuration::merge(const Configuration& changes) {
  for (const auto& [name, value] : changes) set(name, value);
}

std::string to_string(const Configuration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration) {
    if (!text.empty()) text += ',';
    text += name + '=' + std::to_string(value);
  }
  return text;
}

}  // namespace tilewright
