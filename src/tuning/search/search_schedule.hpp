// The order in which the variants of a problem are searched.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/choice.hpp"
#include "tuning/search/search.hpp"

namespace tilewright::tuning {

/// The search space of one variant.
struct VariantSpace {
  std::string variant;
  Space space;
  std::vector<Configuration> seeds{};  ///< tried first, if the space allows them
};

/// The searches of one problem, one per variant, and the order of their turns. Every variant gets a few turns. Then
/// most turns go to the fastest variant and some to those near it. One turn in eight goes to the variant with the
/// fewest, so that slow variants are tuned too.
class SearchSchedule {
 public:
  /// `exhaustive`: every variant gets equal turns until its search is finished.
  SearchSchedule(std::vector<VariantSpace> variants, const std::string& strategy, std::uint64_t seed, bool exhaustive);

  /// Returns the next choice; nothing when none is left.
  std::optional<Choice> next();

  /// Reports the time of a choice; no seconds: it failed.
  void report(const Choice& choice, std::optional<double> seconds);

 private:
  struct Entry {
    std::string variant;
    std::unique_ptr<Search> search;
    std::size_t turns = 0;
    double best = 0;  ///< seconds; 0: none yet
    bool over = false;
  };

  Entry* choose();

  bool exhaustive_;
  std::vector<Entry> entries_;
  std::size_t turn_ = 0;
};

}  // namespace tilewright::tuning
