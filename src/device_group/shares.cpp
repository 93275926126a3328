#include "device_group/shares.hpp"

#include <algorithm>

#include "device_group/portions.hpp"
#include "out_of_core/speeds.hpp"

namespace tilewright::detail {

double TileShares::Device::speed() const {
  constexpr std::uint64_t enough = 3;  // the first tiles include uploads that later tiles reuse
  const double took = last - first;
  return done >= enough && took > 0 ? limited_speed(static_cast<double>(done) / took) : expected;
}

TileShares::TileShares(std::uint64_t count, const std::vector<double>& speeds, const std::vector<bool>& reserve)
    : count_(count) {
  double slowest = 0;
  for (const double speed : speeds)
    if (is_usable_speed(speed)) slowest = slowest == 0 ? speed : std::min(slowest, speed);
  if (slowest == 0) slowest = 1;
  const std::vector<std::uint64_t> ends = portion_ends(count, speeds);
  for (std::size_t i = 0; i < speeds.size(); ++i)
    devices_.push_back({.begin = i == 0 ? 0 : ends[i - 1],
                        .end = ends[i],
                        .expected = limited_speed(is_usable_speed(speeds[i]) ? speeds[i] : slowest),
                        .is_reserve = i < reserve.size() && reserve[i]});
}

bool TileShares::has_device() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const Device& device) { return device.is_alive; });
}

bool TileShares::is_waiting(std::size_t device) const { return is_waiting(devices_[device]); }

bool TileShares::is_waiting(const Device& device) const {
  return device.is_reserve && std::any_of(devices_.begin(), devices_.end(),
                                          [](const Device& other) { return other.is_alive && !other.is_reserve; });
}

std::optional<std::uint64_t> TileShares::next(std::size_t which, double now) {
  Device& device = devices_[which];
  if (!device.is_alive || is_waiting(which)) return std::nullopt;
  std::uint64_t tile = 0;
  if (device.left() == 0 && !orphans_.empty() && is_worth_a_tile(device, nullptr, orphans_.size())) {
    tile = orphans_.back();
    orphans_.pop_back();
    ++device.taken_over;
  } else if (device.left() > 0 ? is_worth_a_tile(device, &device, device.left()) : take_over(device)) {
    tile = device.begin++;
  } else {
    return std::nullopt;
  }
  device.busy.push_back(tile);
  if (!device.is_started) device.first = now;
  device.is_started = true;
  return tile;
}

bool TileShares::is_worth_a_tile(const Device& device, const Device* owner, std::uint64_t tiles) const {
  const double mine = device.seconds_for(device.busy.size() + 1);
  return std::all_of(devices_.begin(), devices_.end(), [&](const Device& other) {
    if (&other == &device || !other.is_alive || is_waiting(other)) return true;
    return mine <= other.seconds_for(other.busy.size() + other.left() + (&other == owner ? 0 : tiles));
  });
}

// Moves tiles from the end of the range that takes longest to the device, so many that both devices end together.
bool TileShares::take_over(Device& device) {
  Device* longest = nullptr;
  for (Device& other : devices_)
    if (other.is_alive && other.left() > 0 && (longest == nullptr || other.seconds_left() > longest->seconds_left()))
      longest = &other;
  if (longest == nullptr || device.seconds_for(device.busy.size() + 1) >= longest->seconds_left() ||
      !is_worth_a_tile(device, longest, longest->left()))
    return false;
  const double part = device.speed() / (device.speed() + longest->speed());
  const auto tiles = static_cast<std::uint64_t>(part * static_cast<double>(longest->left()));
  device.end = longest->end;
  longest->end -= std::clamp<std::uint64_t>(tiles, 1, longest->left());
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
