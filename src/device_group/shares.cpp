#include "device_group/shares.hpp"

#include <algorithm>

namespace tilewright::detail {

double TileShares::Device::speed() const {
  constexpr std::uint64_t enough = 3;  // the first ones wait for all that comes before a product
  const double took = last - first;
  return done >= enough && took > 0 ? static_cast<double>(done) / took : expected;
}

TileShares::TileShares(std::uint64_t count, const std::vector<double>& speeds) : count_(count) {
  double all = 0;
  for (const double speed : speeds) all += speed;
  std::uint64_t begin = 0;
  double until = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    until += speeds[i] / all;
    const bool is_last = i + 1 == speeds.size();
    const auto share = static_cast<std::uint64_t>(until * static_cast<double>(count) + 0.5);
    const std::uint64_t end = is_last ? count : std::clamp(share, begin, count);
    devices_.push_back({.begin = begin, .end = end, .expected = speeds[i]});
    begin = end;
  }
}

bool TileShares::has_device() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const Device& device) { return device.is_alive; });
}

std::optional<std::uint64_t> TileShares::next(std::size_t which, double now) {
  Device& device = devices_[which];
  if (!device.is_alive) return std::nullopt;
  std::uint64_t tile = 0;
  if (takes_orphan(which)) {
    tile = orphans_.back();
    orphans_.pop_back();
    ++device.taken_over;
  } else if (device.left() > 0 || take_over(which)) {
    tile = device.begin++;
  } else {
    return std::nullopt;
  }
  device.busy.push_back(tile);
  if (!device.is_started) device.first = now;
  device.is_started = true;
  return tile;
}

// What a failed device left behind is for whoever is through with its own, or would be before the others.
bool TileShares::takes_orphan(std::size_t which) const {
  const Device& device = devices_[which];
  if (orphans_.empty() || device.left() > 0) return false;
  const double mine = device.seconds_for(device.busy.size() + 1);
  return std::all_of(devices_.begin(), devices_.end(), [&](const Device& other) {
    return &other == &device || !other.is_alive ||
           mine <= other.seconds_for(other.busy.size() + other.left() + orphans_.size());
  });
}

// The end of the longest range goes to the device, so much of it that both end together.
bool TileShares::take_over(std::size_t which) {
  Device& device = devices_[which];
  Device* longest = nullptr;
  for (Device& other : devices_)
    if (other.is_alive && other.left() > 0 && (longest == nullptr || other.seconds_left() > longest->seconds_left()))
      longest = &other;
  if (longest == nullptr || device.seconds_for(device.busy.size() + 1) >= longest->seconds_left()) return false;
  const double part = device.speed() / (device.speed() + longest->speed());
  const auto tiles = static_cast<std::uint64_t>(part * static_cast<double>(longest->left()));
  device.end = longest->end;
  longest->end -= std::max<std::uint64_t>(1, tiles);
  device.begin = longest->end;
  device.taken_over += device.left();
  return true;
}

void TileShares::finished(std::size_t which, std::uint64_t tile, double now) {
  Device& device = devices_[which];
  std::erase(device.busy, tile);
  ++device.done;
  ++done_;
  device.last = now;
}

void TileShares::failed(std::size_t which, const std::vector<std::uint64_t>& lost) {
  Device& device = devices_[which];
  if (!device.is_alive) return;
  device.is_alive = false;
  for (; device.begin < device.end; ++device.begin) orphans_.push_back(device.begin);
  for (const std::uint64_t tile : device.busy)
    if (std::find(lost.begin(), lost.end(), tile) == lost.end())
      orphans_.push_back(tile);
    else
      ++lost_;
  device.busy.clear();
}

}  // namespace tilewright::detail
