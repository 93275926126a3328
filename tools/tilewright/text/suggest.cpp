#include "text/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// Longer words get no suggestion: no known word is as long, and the distance takes quadratic time.
constexpr std::size_t longest_word = 64;
constexpr std::size_t shortest_beginning = 3;

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  // Damerau-Levenshtein distance. Row i holds the distances of the first i characters of `left`; three rows suffice.
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(right.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::vector<std::size_t> row(right.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (word.empty() || word.size() > longest_word) return {};
  std::string best;
  std::size_t least = word.size() < 4 ? 2 : word.size() <= 8 ? 3 : 4;  // smallest distance that is too far
  for (const std::string& candidate : known) {
    const bool begins = word.size() >= shortest_beginning && candidate.rfind(word, 0) == 0;
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance >= least || distance >= candidate.size()) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return fmt::format("unknown {} {}: {}", kind, in_quotes(word),
                     near.empty() ? "expected " + join_words(known) : "did you mean " + near + "?");
}

}  // namespace tilewright::tool
