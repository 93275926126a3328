#include "tuning/lanes.hpp"

#include <algorithm>

#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "tuning/gemm_space.hpp"
#include "tuning/portfolio.hpp"

namespace tilewright::tuning {

Lanes::Lanes(const DeviceProfile& device, const GemmProblem& problem, const std::vector<std::string>& variants,
             const std::string& strategy, std::uint64_t seed, const std::vector<Trial>& hints, bool exhaustive)
    : problem_(problem), exhaustive_(exhaustive) {
  for (const detail::GemmVariant* variant : detail::gemm_registry()) {
    const bool wanted =
        variants.empty() || std::find(variants.begin(), variants.end(), variant->name) != variants.end();
    if (!wanted || !detail::why_unsupported(*variant, problem, device).empty()) continue;
    std::vector<Configuration> seeds = portfolio(device, variant->name, problem);
    for (const Trial& hint : hints)
      if (hint.variant == variant->name && std::find(seeds.begin(), seeds.end(), hint.configuration) == seeds.end())
        seeds.insert(seeds.begin(), hint.configuration);
    lanes_.push_back(
        {variant->name, make_search(strategy, gemm_space(*variant, problem, device), std::move(seeds), seed)});
  }
}

Lanes::Lane* Lanes::choose() {
  constexpr std::size_t turns_for_all = 4;
  constexpr double near = 1.5;
  Lane* fewest = nullptr;
  Lane* fastest = nullptr;
  for (Lane& lane : lanes_) {
    if (lane.over) continue;
    if (fewest == nullptr || lane.turns < fewest->turns) fewest = &lane;
    if (lane.best > 0 && (fastest == nullptr || lane.best < fastest->best)) fastest = &lane;
  }
  if (fewest == nullptr || exhaustive_ || fewest->turns < turns_for_all || fastest == nullptr) return fewest;
  if (++turn_ % 4 != 0) return fastest;
  Lane* other = fastest;
  for (Lane& lane : lanes_)
    if (!lane.over && &lane != fastest && lane.best > 0 && lane.best < near * fastest->best &&
        (other == fastest || lane.turns < other->turns))
      other = &lane;
  return other;
}

std::optional<Trial> Lanes::next() {
  while (Lane* const lane = choose()) {
    if (auto configuration = lane->search->next()) return Trial{problem_, lane->variant, *std::move(configuration)};
    lane->over = true;
  }
  return std::nullopt;
}

void Lanes::tell(const Trial& trial, const Evaluation& evaluation) {
  for (Lane& lane : lanes_)
    if (lane.variant == trial.variant) {
      ++lane.turns;
      lane.search->tell(trial.configuration, evaluation.told());
      if (evaluation.timed() && (lane.best == 0 || evaluation.seconds < lane.best)) lane.best = evaluation.seconds;
    }
}

}  // namespace tilewright::tuning
