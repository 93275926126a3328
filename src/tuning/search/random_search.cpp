#include "tuning/search/strategies.hpp"

namespace tilewright::tuning {
namespace {

/// The baseline that every other strategy must beat.
class RandomSearch : public Search {
 public:
  RandomSearch(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed)
      : Search(std::move(space), std::move(seeds)), random_(random_seed) {}

 private:
  std::optional<Configuration> propose() override { return new_random(random_); }
  void learn(const Configuration&, std::optional<double>) override {}

  Random random_;
};

}  // namespace

std::unique_ptr<Search> make_random_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed) {
  return std::make_unique<RandomSearch>(std::move(space), std::move(seeds), random_seed);
}

}  // namespace tilewright::tuning
