#include "kernels/explanation.hpp"

#include <algorithm>
#include <utility>

namespace tilewright::detail {

std::string problem_text(std::string_view operation, std::string_view type, std::initializer_list<std::uint64_t> sizes,
                         std::uint64_t batch_count) {
  std::string text = std::string(operation) + ' ' + std::string(type);
  char separator = ' ';
  for (const std::uint64_t size : sizes) {
    text += separator + std::to_string(size);
    separator = 'x';
  }
  if (batch_count != 1) text += ", batch of " + std::to_string(batch_count);
  return text;
}

void add_reason(Explanation& explanation, std::string_view reason) {
  if (!explanation.reason.empty()) explanation.reason += "; ";
  explanation.reason += reason;
}

void add_part(Explanation& whole, Explanation part) {
  const bool is_known = std::any_of(whole.parts.begin(), whole.parts.end(), [&](const Explanation& known) {
    return known.problem == part.problem && known.variant == part.variant && known.configuration == part.configuration;
  });
  if (!is_known) whole.parts.push_back(std::move(part));
}

}  // namespace tilewright::detail
