// Which configuration to measure next: strategies that are asked and told, and measure nothing themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tilewright/configuration.hpp"
#include "tuning/search/space.hpp"

namespace tilewright::tuning {

/// What every strategy has in common: the seeds come first, nothing is asked twice, and where a strategy runs dry the
/// rest of the space follows, so that a search ends when every configuration was tried. The same calls with the same
/// random seed give the same configurations.
class Search {
 public:
  Search(Space space, std::vector<Configuration> seeds);
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// The configuration to evaluate next; none when there is nothing left.
  std::optional<Configuration> next();

  /// What came of it; no seconds: it failed. Every next() is answered by one tell() before the following next().
  void tell(const Configuration& configuration, std::optional<double> seconds);

  /// A result from before the first next(), of an interrupted run for example: not asked again, but learnt from.
  void known(const Configuration& configuration, std::optional<double> seconds) { tell(configuration, seconds); }

 protected:
  /// A configuration for which is_new() holds; none where the strategy finds no such.
  virtual std::optional<Configuration> propose() = 0;

  /// Takes note of a result, of a seed's and a known one's too.
  virtual void learn(const Configuration& configuration, std::optional<double> seconds) = 0;

  const Space& space() const { return space_; }
  bool is_new(const Configuration& configuration) const { return !results_.contains(to_string(configuration)); }

  /// The result of a configuration; none where it failed or is new.
  std::optional<double> result(const Configuration& configuration) const;

  /// A new random configuration; none where several tries gave none, as when nearly everything was tried.
  std::optional<Configuration> new_random(Random& random) const;

 private:
  Space space_;
  std::vector<Configuration> seeds_;  ///< those still to be asked, last first
  Enumeration rest_;
  std::unordered_map<std::string, std::optional<double>> results_;
};

/// Names of the strategies, the default first.
std::vector<std::string> search_strategies();

/// Seeds that the space does not allow are left out; they need not be made of its listed values.
/// Throws std::invalid_argument for an unknown strategy.
std::unique_ptr<Search> make_search(std::string_view strategy, const Space& space, std::vector<Configuration> seeds,
                                    std::uint64_t random_seed);

}  // namespace tilewright::tuning
