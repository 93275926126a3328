#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tuning/evaluation.hpp"
#include "tuning/search.hpp"

namespace tilewright::tuning {

/// The searches of one problem, one for each variant, and which of them comes next: every variant gets a few turns, so
/// that at least its work-groups are tuned; then most go to the fastest one, and the rest to those near it.
class Lanes {
 public:
  /// `exhaustive`: every variant gets its turns until it is through.
  Lanes(const DeviceProfile& device, const GemmProblem& problem, const std::vector<std::string>& variants,
        const std::string& strategy, std::uint64_t seed, const std::vector<Trial>& hints, bool exhaustive);

  /// None when there is nothing left.
  std::optional<Trial> next();

  void tell(const Trial& trial, const Evaluation& evaluation);

 private:
  struct Lane {
    std::string variant;
    std::unique_ptr<Search> search;
    std::size_t turns = 0;
    double best = 0;  ///< seconds; 0: none yet
    bool over = false;
  };

  Lane* choose();

  GemmProblem problem_;
  bool exhaustive_;
  std::vector<Lane> lanes_;
  std::size_t turn_ = 0;
};

}  // namespace tilewright::tuning
