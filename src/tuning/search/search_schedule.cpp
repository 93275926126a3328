#include "tuning/search/search_schedule.hpp"

namespace tilewright::tuning {

SearchSchedule::SearchSchedule(std::vector<VariantSpace> variants, const std::string& strategy, std::uint64_t seed,
                               bool exhaustive)
    : exhaustive_(exhaustive) {
  for (VariantSpace& each : variants)
    entries_.push_back({each.variant, make_search(strategy, each.space, std::move(each.seeds), seed)});
}

SearchSchedule::Entry* SearchSchedule::choose() {
  constexpr std::size_t turns_for_all = 2;
  constexpr double near = 1.5;
  Entry* fewest = nullptr;
  Entry* fastest = nullptr;
  for (Entry& entry : entries_) {
    if (entry.over) continue;
    if (fewest == nullptr || entry.turns < fewest->turns) fewest = &entry;
    if (entry.best > 0 && (fastest == nullptr || entry.best < fastest->best)) fastest = &entry;
  }
  if (fewest == nullptr || exhaustive_ || fewest->turns < turns_for_all || fastest == nullptr) return fewest;
  ++turn_;
  if (turn_ % 8 == 0) return fewest;
  if (turn_ % 4 != 0) return fastest;
  Entry* other = fastest;
  for (Entry& entry : entries_)
    if (!entry.over && &entry != fastest && entry.best > 0 && entry.best < near * fastest->best &&
        (other == fastest || entry.turns < other->turns))
      other = &entry;
  return other;
}

std::optional<Choice> SearchSchedule::next() {
  while (Entry* const entry = choose()) {
    if (auto configuration = entry->search->next()) return Choice{entry->variant, *std::move(configuration)};
    entry->over = true;
  }
  return std::nullopt;
}

void SearchSchedule::report(const Choice& choice, std::optional<double> seconds) {
  for (Entry& entry : entries_)
    if (entry.variant == choice.variant) {
      ++entry.turns;
      entry.search->report(choice.configuration, seconds);
      if (seconds && (entry.best == 0 || *seconds < entry.best)) entry.best = *seconds;
    }
}

}  // namespace tilewright::tuning
