// Near misses on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tool {

/// How many characters must be added, left out, replaced or swapped with their neighbour to make one word of the other.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// The word that was probably meant: one that begins with `word` or differs in few characters; empty where none does.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// "unknown variant 'naiv': did you mean naive?", or "...: expected naive, group_reduction or local_tile" where none is
/// near.
std::string unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& known);

}  // namespace tilewright::tool
