#include "selection/selector.hpp"

namespace tilewright::detail {

std::string joined(const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) text += (text.empty() ? "" : ", ") + source;
  return text;
}

}  // namespace tilewright::detail
