#include "verification/common/case_text.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace tilewright::verification {
namespace {

constexpr std::pair<Memory, std::string_view> memory_names[] = {
    {Memory::banded, "banded"},         {Memory::exact, "exact"},       {Memory::sub_buffer, "sub_buffer"},
    {Memory::page_begin, "page_begin"}, {Memory::page_end, "page_end"},
};

}  // namespace

CaseFields::CaseFields(std::string_view text) {
  std::istringstream stream{std::string(text)};
  for (std::string token; stream >> token;) {
    const auto equals = token.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("expected name=value in '" + token + "'");
    fields_[token.substr(0, equals)] = token.substr(equals + 1);
  }
}

const std::string& CaseFields::operator[](const std::string& name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end()) throw std::invalid_argument("the case lacks " + name);
  return found->second;
}

std::string_view to_string(Memory memory) {
  for (const auto& [value, name] : memory_names)
    if (value == memory) return name;
  throw std::invalid_argument("a memory without a name");
}

Memory parse_memory(std::string_view word) {
  for (const auto& [value, name] : memory_names)
    if (word == name) return value;
  throw std::invalid_argument("unknown memory '" + std::string(word) + "'");
}

}  // namespace tilewright::verification
