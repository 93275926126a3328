#include "tuning/search/strategies.hpp"

namespace tilewright::tuning {
namespace {

/// Greedy iterated local search (Lourenço, Martin and Stützle, "Iterated local search", 2003). Moves to the first
/// better neighbour until there is none. Then changes a few parameters of the best configuration of this climb and
/// climbs again. Returns to the old top if the new one is worse, and restarts if this does not help for long. Reuses
/// known results for free.
class GreedySearch : public Search {
 public:
  GreedySearch(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed)
      : Search(std::move(space), std::move(seeds)), random_(random_seed) {}

 private:
  static constexpr std::size_t kick_size = 3;  ///< parameters
  static constexpr int patience = 8;           ///< tops without improvement before a restart
  static constexpr int max_idle_steps = 1000;  ///< without a new configuration, before giving up

  struct Place {
    Configuration configuration;
    double seconds;
  };

  std::optional<Configuration> propose() override {
    for (int step = 0; step < max_idle_steps; ++step) {
      if (!here_) {
        auto start = start_point();
        if (!start) return {};
        if (is_new(*start)) return start;
        move_to(*start);
      } else if (!neighbours_.empty()) {
        const Configuration neighbour = std::move(neighbours_.back());
        neighbours_.pop_back();
        if (is_new(neighbour)) return neighbour;
        move_if_better(neighbour, result(neighbour));
      } else {
        leave_top();
      }
    }
    return {};
  }

  void learn(const Configuration& configuration, std::optional<double> seconds) override {
    move_if_better(configuration, seconds);
  }

  void move_if_better(const Configuration& configuration, std::optional<double> seconds) {
    if (seconds && (!here_ || *seconds < here_->seconds)) move_to(configuration);
  }

  void move_to(const Configuration& configuration) {
    const auto seconds = result(configuration);
    if (!seconds) return;
    here_ = Place{configuration, *seconds};
    neighbours_ = space().neighbours(configuration);
    random_.shuffle(neighbours_);
  }

  // Called when no neighbour is better. Keeps the top unless it is worse than the one that was kicked.
  void leave_top() {
    const bool higher = !top_ || here_->seconds < top_->seconds;
    if (!top_ || here_->seconds <= top_->seconds) top_ = here_;
    stalls_ = higher ? 0 : stalls_ + 1;
    if (stalls_ > patience) {
      top_.reset();
      stalls_ = 0;
    }
    here_.reset();
  }

  // Changes a few parameters of the top, one after another. Without a top, returns any new configuration.
  std::optional<Configuration> start_point() {
    if (!top_) return new_random(random_);
    Configuration kicked = top_->configuration;
    for (std::size_t i = 0; i < kick_size; ++i) {
      auto choices = space().neighbours(kicked);
      if (choices.empty()) break;
      kicked = std::move(choices[random_.below(choices.size())]);
    }
    return kicked;
  }

  Random random_;
  std::optional<Place> here_;  ///< current position of the climb
  std::optional<Place> top_;   ///< top that was last kicked
  std::vector<Configuration> neighbours_;
  int stalls_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_greedy_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed) {
  return std::make_unique<GreedySearch>(std::move(space), std::move(seeds), random_seed);
}

}  // namespace tilewright::tuning
