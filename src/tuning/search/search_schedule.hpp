#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/choice.hpp"
#include "tuning/search/search.hpp"

namespace tilewright::tuning {

/// What there is to search of one variant.
struct VariantSpace {
  std::string variant;
  Space space;
  std::vector<Configuration> seeds{};  ///< tried first, as far as the space allows them
};

/// The searches of one problem, one for each variant, and which of them comes next: every variant gets a few turns;
/// then most go to the fastest one and some to those near it, and one in eight to the variant that had fewest, so that
/// the work-groups of the slow ones are tuned too.
class SearchSchedule {
 public:
  /// `exhaustive`: every variant gets its turns until it is through.
  SearchSchedule(std::vector<VariantSpace> variants, const std::string& strategy, std::uint64_t seed, bool exhaustive);

  /// None when there is nothing left.
  std::optional<Choice> next();

  /// What came of a choice; no seconds: it failed.
  void tell(const Choice& choice, std::optional<double> seconds);

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
