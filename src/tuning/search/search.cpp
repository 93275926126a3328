#include "tuning/search/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tuning/search/strategies.hpp"

namespace tilewright::tuning {
namespace {

struct Strategy {
  const char* name;
  std::unique_ptr<Search> (*make)(Space, std::vector<Configuration>, std::uint64_t);
};

constexpr Strategy strategies[] = {
    {"guided", make_guided_search},
    {"greedy", make_greedy_search},
    {"random", make_random_search},
    {"full", make_full_search},
};

}  // namespace

Search::Search(Space space, std::vector<Configuration> seeds)
    : space_(std::move(space)), seeds_(std::move(seeds)), rest_(space_) {
  std::erase_if(seeds_, [&](const Configuration& seed) { return !space_.allows(seed); });
  std::reverse(seeds_.begin(), seeds_.end());
}

std::optional<Configuration> Search::next() {
  while (!seeds_.empty()) {
    Configuration seed = std::move(seeds_.back());
    seeds_.pop_back();
    if (is_new(seed)) return seed;
  }
  if (auto proposal = propose()) return proposal;
  while (auto configuration = rest_.next())
    if (is_new(*configuration)) return configuration;
  return {};
}

void Search::report(const Configuration& configuration, std::optional<double> seconds) {
  results_[to_string(configuration)] = seconds;
  learn(configuration, seconds);
}

std::optional<double> Search::result(const Configuration& configuration) const {
  const auto found = results_.find(to_string(configuration));
  return found == results_.end() ? std::nullopt : found->second;
}

std::optional<Configuration> Search::new_random(Random& random) const {
  constexpr int tries = 50;
  for (int i = 0; i < tries; ++i) {
    auto point = space_.random(random);
    if (!point || is_new(*point)) return point;
  }
  return {};
}

std::vector<std::string> search_strategies() {
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies) names.emplace_back(strategy.name);
  return names;
}

std::unique_ptr<Search> make_search(std::string_view strategy, const Space& space, std::vector<Configuration> seeds,
                                    std::uint64_t random_seed) {
  std::string names;
  for (const Strategy& known : strategies) {
    if (strategy == known.name) return known.make(space, std::move(seeds), random_seed);
    names += std::string(names.empty() ? "" : ", ") + known.name;
  }
  throw std::invalid_argument("there is no search strategy '" + std::string(strategy) +
                              "'; the strategies are: " + names);
}

}  // namespace tilewright::tuning
