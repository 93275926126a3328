// Strategies that propose the configuration to measure next. They measure nothing themselves.
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

/// The common part of all strategies. Seeds come first, and nothing is proposed twice. If a strategy has no proposal,
/// the rest of the space follows, so a search ends when every configuration was tried. Equal calls with equal random
/// seeds give equal configurations.
class Search {
 public:
  Search(Space space, std::vector<Configuration> seeds);
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Returns the configuration to evaluate next; nothing when none is left.
  std::optional<Configuration> next();

  /// Reports the time of a configuration; no seconds: it failed. Call it once after each next(), before the following
  /// one.
  void report(const Configuration& configuration, std::optional<double> seconds);

  /// Reports a result from before the first next(), for example of an interrupted run. The search learns from it and
  /// does not propose it again.
  void report_known(const Configuration& configuration, std::optional<double> seconds) {
    report(configuration, seconds);
  }

 protected:
  /// Returns a configuration for which is_new() holds; nothing if the strategy finds none.
  virtual std::optional<Configuration> propose() = 0;

  /// Learns a result, including those of seeds and known configurations.
  virtual void learn(const Configuration& configuration, std::optional<double> seconds) = 0;

  const Space& space() const { return space_; }
  bool is_new(const Configuration& configuration) const { return !results_.contains(to_string(configuration)); }

  /// Returns the time of a configuration; nothing if it failed or is new.
  std::optional<double> result(const Configuration& configuration) const;

  /// Returns a new random configuration; nothing if several tries found none, for example when almost everything was
  /// tried.
  std::optional<Configuration> new_random(Random& random) const;

 private:
  Space space_;
  std::vector<Configuration> seeds_;  ///< seeds still to be proposed, last first
  Enumeration rest_;
  std::unordered_map<std::string, std::optional<double>> results_;
};

/// Returns the names of the strategies, the default first.
std::vector<std::string> search_strategies();

/// Makes a search. Leaves out seeds that the space does not allow; their values need not be listed ones. Throws
/// std::invalid_argument for an unknown strategy.
std::unique_ptr<Search> make_search(std::string_view strategy, const Space& space, std::vector<Configuration> seeds,
                                    std::uint64_t random_seed);

}  // namespace tilewright::tuning
