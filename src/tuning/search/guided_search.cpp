#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tuning/search/gaussian_process.hpp"
#include "tuning/search/strategies.hpp"

namespace tilewright::tuning {
namespace {

/// Returns the position of a value among a parameter's listed ones, from 0 to 1 on a logarithmic scale.
double coordinate(const Parameter& parameter, std::int64_t value) {
  const auto [least, most] = std::minmax_element(parameter.values.begin(), parameter.values.end());
  if (*least == *most) return 0;
  const std::int64_t shift = *least > 0 ? 0 : 1 - *least;  // makes all values positive for the logarithm
  const auto scaled = [&](std::int64_t v) {
    return std::log2(static_cast<double>(std::max<std::int64_t>(1, v + shift)));
  };
  return (scaled(value) - scaled(*least)) / (scaled(*most) - scaled(*least));
}

/// Bayesian optimization: a Gaussian process models the logarithm of the time over the parameters. Proposes the
/// candidate with the largest expected improvement (Jones, Schonlau and Welch, "Efficient global optimization of
/// expensive black-box functions", 1998). Candidates are random configurations and the neighbours of the best, then the
/// neighbours of the best candidate.
class GuidedSearch : public Search {
 public:
  GuidedSearch(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed)
      : Search(std::move(space), std::move(seeds)),
        random_(random_seed),
        model_(this->space().parameters().size(), cap) {}

 private:
  // Chosen on recorded runs; only the cap matters much.
  /// Failures, and anything slower than twice the best, count as twice the best.
  static constexpr double cap = std::numbers::ln2;
  static constexpr double margin = 0.02;          ///< smaller differences of logarithms are no improvement
  static constexpr std::size_t first_points = 6;  ///< random ones, before the model is used
  static constexpr std::size_t max_points = 500;  ///< in the model, whose cost is cubic
  static constexpr std::size_t random_candidates = 60;
  static constexpr std::size_t best_places = 3;  ///< their neighbours are candidates
  static constexpr int climbing_steps = 4;

  struct Place {
    double logarithm;
    Configuration configuration;
  };

  struct Candidate {
    Configuration configuration;
    double improvement;
  };

  std::optional<Configuration> propose() override {
    if (model_.size() < first_points) return new_random(random_);
    if (model_.size() >= next_fit_) {
      model_.fit();
      next_fit_ = model_.size() + std::max<std::size_t>(2, model_.size() / 8);
    }
    std::vector<Configuration> pool;
    while (pool.size() < random_candidates) {
      auto point = new_random(random_);
      if (!point) break;
      pool.push_back(std::move(*point));
    }
    for (const Place& place : best_) add_neighbours(pool, place.configuration);
    auto best = best_of(std::move(pool));
    for (int step = 0; best && step < climbing_steps; ++step) {
      pool.clear();
      add_neighbours(pool, best->configuration);
      auto better = best_of(std::move(pool));
      if (!better || better->improvement <= best->improvement) break;
      best = std::move(better);
    }
    if (!best) return {};
    return std::move(best->configuration);
  }

  void learn(const Configuration& configuration, std::optional<double> seconds) override {
    if (!seconds && best_.empty()) return;  // a model of failures alone is useless
    const double logarithm = seconds ? std::log(*seconds) : std::numeric_limits<double>::infinity();
    model_.add(coordinates(configuration), logarithm);
    if (model_.size() > max_points) {
      model_.forget_all_but(max_points / 2);
      next_fit_ = model_.size();
    }
    if (!seconds) return;
    const auto at = std::find_if(best_.begin(), best_.end(), [&](const Place& p) { return logarithm < p.logarithm; });
    best_.insert(at, {logarithm, configuration});
    if (best_.size() > best_places) best_.pop_back();
  }

  void add_neighbours(std::vector<Configuration>& pool, const Configuration& configuration) const {
    for (auto& neighbour : space().neighbours(configuration))
      if (is_new(neighbour)) pool.push_back(std::move(neighbour));
  }

  GaussianProcess::Point coordinates(const Configuration& configuration) const {
    GaussianProcess::Point point;
    for (const auto& parameter : space().parameters())
      point.push_back(coordinate(parameter, configuration[parameter.name]));
    return point;
  }

  std::optional<Candidate> best_of(std::vector<Configuration> pool) const {
    if (pool.empty() || best_.empty()) return {};
    std::vector<GaussianProcess::Point> points;
    for (const Configuration& configuration : pool) points.push_back(coordinates(configuration));
    const auto predictions = model_.predict(points);
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < pool.size(); ++i)
      if (const double improvement = expected_improvement(predictions[i]); improvement > most) {
        most = improvement;
        best = i;
      }
    return Candidate{std::move(pool[best]), most};
  }

  double expected_improvement(const GaussianProcess::Prediction& prediction) const {
    const double z = (best_.front().logarithm - margin - prediction.mean) / prediction.deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double probability = std::erfc(-z / std::numbers::sqrt2) / 2;
    return prediction.deviation * (z * probability + density);
  }

  Random random_;
  GaussianProcess model_;
  std::size_t next_fit_ = first_points;
  std::vector<Place> best_;  ///< fastest first
};

}  // namespace

std::unique_ptr<Search> make_guided_search(Space space, std::vector<Configuration> seeds, std::uint64_t random_seed) {
  return std::make_unique<GuidedSearch>(std::move(space), std::move(seeds), random_seed);
}

}  // namespace tilewright::tuning
