#include "device_group/measured_sets.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/system/plain_text.hpp"

namespace tilewright::detail {
namespace {

constexpr double promising = 1.05;  // times the kept set's time: a set is worth a trial, as the model may err by 5 %
constexpr double better = .97;      // likewise: a set replaces the kept one
constexpr double as_good = 1;       // likewise, if it has fewer devices
constexpr double noise = 1.3;       // between calls that nothing distinguishes
constexpr double clear = 1.15;      // ratio of the least of two calls that needs no more calls
constexpr double slower = 1.5;      // a lasting change of the kept set's time
constexpr double faster = 1 / 1.2;  // likewise
constexpr unsigned most_patience = 1024;

}  // namespace

void MeasuredSets::Times::add(double seconds) {
  if (std::exchange(is_due, false)) count = 0;
  recent[count++ % enough] = seconds;
}

double MeasuredSets::Times::least() const {
  return *std::min_element(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(std::min(count, enough)));
}

double MeasuredSets::Times::most() const {
  return *std::max_element(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(std::min(count, enough)));
}

MeasuredSets::MeasuredSets(std::vector<DeviceSet> sets) : sets_(std::move(sets)), times_(sets_.size()) {}

void MeasuredSets::note(double seconds) {
  if (sets_.size() < 2) return;
  times_[current_].add(seconds);
  if (current_ == kept_)
    judge_kept();
  else
    judge_trial();
}

void MeasuredSets::judge_kept() {
  const Times& times = times_[kept_];
  if (times.count < 2) return;
  if (decided_ == 0) decided_ = times.least();
  ++calls_;
  is_retry_ = false;
  if (times.count >= enough && (times.least() > slower * decided_ || times.most() < faster * decided_)) {
    decided_ = times.least();
    patience_ = first_patience;
    make_others_due();
  } else if (calls_ >= patience_) {
    // Tries one set per time, because most retries only confirm the choice.
    patience_ = std::min(2 * patience_, most_patience);
    calls_ = 0;
    is_retry_ = true;
    if (retried_ == kept_) retried_ = (retried_ + 1) % sets_.size();
    times_[retried_].is_due = true;
    retried_ = (retried_ + 1) % sets_.size();
  }
  try_next();
}

void MeasuredSets::judge_trial() {
  const Times& times = times_[current_];
  const double ratio = times.least() / times_[kept_].least();
  const bool is_clear = ratio > noise || (times.count > 1 && (ratio > clear || ratio < 1 / clear));
  if (!is_clear && times.count < enough) return;
  const auto devices = [&](std::size_t set) { return std::ranges::count(sets_[set].used, true); };
  if (ratio < (devices(current_) < devices(kept_) ? as_good : better)) {
    const std::size_t former = std::exchange(kept_, current_);
    if (std::exchange(is_retry_, false)) {
      make_others_due();
      times_[former].is_due = false;
    }
  }
  try_next();
  if (current_ != kept_) return;
  decided_ = times_[kept_].least();
  calls_ = 0;
  is_retry_ = false;
}

void MeasuredSets::make_others_due() {
  for (std::size_t i = 0; i < times_.size(); ++i) times_[i].is_due = i != kept_;
}

void MeasuredSets::try_next() {
  current_ = kept_;
  const double kept = times_[kept_].least();
  for (std::size_t i = 0; i < sets_.size() && current_ == kept_; ++i)
    if (times_[i].is_due && sets_[i].expected < promising * kept) current_ = i;
}

std::string MeasuredSets::why_left_out(std::size_t device) const {
  double with = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if (sets_[i].used[device] && times_[i].count > 0) with = std::min(with, times_[i].least());
  if (with == std::numeric_limits<double>::infinity()) return {};
  if (sets_[kept_].used[device]) return "calls with it took " + general_text(with, 3) + " s; this one tried without it";
  const double without = times_[kept_].least();
  if (without > with) return {};  // the times have changed since the choice
  return "calls without it were faster: " + general_text(without, 3) + " s, " + general_text(with, 3) + " s with it";
}

}  // namespace tilewright::detail
