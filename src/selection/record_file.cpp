#include "selection/record_file.hpp"

namespace tilewright::detail {
namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

void for_each_record(std::string_view text, const std::string& name,
                     const std::function<void(const nlohmann::json&)>& use, std::vector<std::string>& problems) {
  next_line(text);
  for (std::size_t number = 2; !text.empty(); ++number) {
    if (number > max_lines) {
      problems.push_back(name + " has more than " + std::to_string(max_lines) + " lines; the rest is ignored");
      break;
    }
    const std::string_view line = next_line(text);
    if (line.empty()) continue;
    try {
      use(parse_json_line(line));
    } catch (const std::exception& error) {
      problems.push_back(name + ", line " + std::to_string(number) + ": " + printable(error.what()));
    }
  }
}

std::string without_lines(std::string_view text, const std::function<bool(const nlohmann::json&)>& is_gone) {
  const auto gone = [&](std::string_view line) {
    try {
      return is_gone(parse_json_line(line));
    } catch (const std::exception&) {
      return false;  // lines that cannot be read stay; readers report them
    }
  };
  std::string result(next_line(text));
  result += '\n';
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (gone(line)) continue;
    result += line;
    result += '\n';
  }
  return result;
}

}  // namespace tilewright::detail
