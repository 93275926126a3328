#include "tuning/search/strategies.hpp"

namespace tilewright::tuning {
namespace {

/// Tries every configuration in the order of enumeration, like any search without proposals.
class FullSearch : public Search {
 public:
  using Search::Search;

 private:
  std::optional<Configuration> propose() override { return {}; }
  void learn(const Configuration&, std::optional<double>) override {}
};

}  // namespace

std::unique_ptr<Search> make_full_search(Space space, std::vector<Configuration> seeds, std::uint64_t) {
  return std::make_unique<FullSearch>(std::move(space), std::move(seeds));
}

}  // namespace tilewright::tuning
