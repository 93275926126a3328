#include "selection/load_records.hpp"

namespace tilewright::detail {

void shorten(std::vector<std::string>& problems) {
  constexpr std::size_t most = 20;
  if (problems.size() <= most) return;
  const std::size_t more = problems.size() - most;
  problems.resize(most);
  problems.push_back("and " + std::to_string(more) + " more");
}

}  // namespace tilewright::detail
