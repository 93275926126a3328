// Suggestions for misspelt words on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tool {

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Returns the known word that was probably meant: one that starts with `word` or differs in few characters. Empty if
/// none does.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns "unknown variant 'naiv': did you mean naive?", or "...: expected naive, group_reduction or local_tile" if no
/// known word is near.
std::string unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& known);

}  // namespace tilewright::tool
