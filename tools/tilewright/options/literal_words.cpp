#include "options/literal_words.hpp"

#include <algorithm>

namespace tilewright::tool {
namespace {

constexpr char mark = '\0';  // no word of a command line contains it

}  // namespace

std::vector<std::string> reversed_words(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto command =
      std::find_if(words.begin(), words.end(), [](const std::string& word) { return !word.starts_with('-'); });
  if (command != words.end() && (*command == "run" || *command == "tune"))
    for (auto word = std::find(command, words.end(), "--"); word != words.end(); ++word)
      if (word->starts_with('[') && word->ends_with(']')) *word += mark;
  std::reverse(words.begin(), words.end());
  return words;
}

std::vector<std::string> literal_words(std::vector<std::string> words) {
  for (std::string& word : words)
    if (word.ends_with(mark)) word.pop_back();
  return words;
}

}  // namespace tilewright::tool
