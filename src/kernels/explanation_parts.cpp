#include "kernels/explanation_parts.hpp"

#include <algorithm>
#include <utility>

namespace tilewright::detail {
namespace {

bool is_same(const Explanation& x, const Explanation& y) {
  return x.problem == y.problem && x.variant == y.variant && x.configuration == y.configuration &&
         x.reason == y.reason && std::equal(x.parts.begin(), x.parts.end(), y.parts.begin(), y.parts.end(), is_same);
}

}  // namespace

std::string problem_text(std::string_view operation, DataType type, std::initializer_list<std::uint64_t> sizes) {
  std::string text = std::string(operation) + ' ' + std::string(to_string(type));
  char separator = ' ';
  for (const std::uint64_t size : sizes) text += std::exchange(separator, 'x') + std::to_string(size);
  return text;
}

void add_part(Explanation& whole, Explanation part) {
  const auto is_listed = [&](const Explanation& other) { return is_same(other, part); };
  if (std::none_of(whole.parts.begin(), whole.parts.end(), is_listed)) whole.parts.push_back(std::move(part));
}

}  // namespace tilewright::detail
