#include "device_group/shares.hpp"

#include <algorithm>
#include <cmath>

#include "device_group/portions.hpp"
#include "out_of_core/speeds.hpp"

namespace tilewright::detail {
namespace {

// Tolerance for rounding errors of times and of numbers of tiles.
constexpr double tiny = 1e-9;

}  // namespace

double TileShares::Device::speed() const {
  if (done == 0) return expected;
  const std::uint64_t known = std::min<std::uint64_t>(done, recent.size());
  double took = 0;
  for (std::uint64_t i = 0; i < known; ++i) took += recent[i];
  if (!(took > 0)) return expected;
  const double measured = limited_speed(static_cast<double>(known) / took);
  // The first tiles include uploads that later tiles reuse.
  constexpr std::uint64_t enough = 3;
  constexpr double of_uploads = 2;
  return done >= enough ? measured : std::min(expected, of_uploads * measured);
}

TileShares::TileShares(std::uint64_t count, const std::vector<double>& speeds, const std::vector<bool>& reserve,
                       const std::vector<std::uint64_t>& ends, const std::vector<double>& take_over_seconds)
    : count_(count) {
  double slowest = 0;
  for (const double speed : speeds)
    if (is_usable_speed(speed)) slowest = slowest == 0 ? speed : std::min(slowest, speed);
  if (slowest == 0) slowest = 1;
  const std::vector<std::uint64_t> until = ends.empty() ? portion_ends(count, speeds) : ends;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    devices_.push_back({.begin = i == 0 ? 0 : until[i - 1],
                        .end = until[i],
                        .expected = limited_speed(is_usable_speed(speeds[i]) ? speeds[i] : slowest),
                        .take_over_seconds = take_over_seconds.empty() ? 0 : take_over_seconds[i],
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
  if (!takes_part(device)) return std::nullopt;
  device.is_here = true;
  if (!is_worth_a_tile(device, now)) return std::nullopt;
  std::uint64_t tile = 0;
  if (device.left() == 0 && !orphans_.empty()) {
    tile = orphans_.back();
    orphans_.pop_back();
    ++device.taken_over;
  } else if (device.left() > 0 || take_over(device, now)) {
    tile = device.begin++;
  } else {
    return std::nullopt;
  }
  if (device.busy.empty()) device.since = now;
  device.busy.push_back(tile);
  if (!device.is_started) device.first = now;
  device.is_started = true;
  return tile;
}

TileShares::Forecast TileShares::forecast(const Device& device, double now) const {
  Forecast result{0, device.speed(), device.busy.size(), device.has_taken_over ? 0 : device.left(),
                  device.take_over_seconds};
  const double took = now - device.since, expected = 1 / result.speed;
  if (!device.is_here) {
    result.wait = now;
  } else if (!device.busy.empty() && took <= expected) {
    result.wait = -took;
  } else if (!device.busy.empty()) {
    // The tile is late, and is expected to become twice as late.
    result.wait = -expected;
    result.speed = 1 / took;
  }
  return result;
}

double TileShares::Forecast::seconds_for_next() const {
  const double seconds = seconds_for(busy + 1);
  return left > 0 ? seconds : std::max(seconds, take_over_seconds + 1 / speed);
}

double TileShares::Forecast::more_tiles_in(double seconds) const {
  const auto tiles = [&](double from) {
    return std::max(0.0, std::floor((seconds - from) * speed + tiny) - static_cast<double>(busy));
  };
  const double own = std::min(tiles(wait), static_cast<double>(left));
  // Operands of tiles of other ranges arrive while the device computes its own tiles.
  return std::max(own, tiles(std::max(wait, take_over_seconds - static_cast<double>(busy + left) / speed)));
}

std::uint64_t TileShares::unstarted() const {
  std::uint64_t tiles = orphans_.size();
  for (const Device& device : devices_) tiles += device.left();
  return tiles;
}

bool TileShares::is_worth_a_tile(const Device& device, double now) const {
  const std::uint64_t tiles = unstarted();
  if (tiles == 0) return false;
  std::vector<Forecast> forecasts;
  forecasts.reserve(devices_.size());
  double work = static_cast<double>(tiles), speeds = 0;
  for (const Device& other : devices_) {
    if (!takes_part(other)) continue;
    const Forecast& of_other = forecasts.emplace_back(forecast(other, now));
    work += static_cast<double>(of_other.busy) + std::min(0.0, of_other.wait) * of_other.speed;
    speeds += of_other.speed;
  }
  const double needed = forecast(device, now).seconds_for_next() * (1 - tiny);
  // Devices that shared even parts of tiles would need at least work / speeds.
  if (needed <= work / speeds) return true;
  double more = 0;
  for (const Forecast& one : forecasts) more += one.more_tiles_in(needed * (1 - 2 * tiny));
  return more < static_cast<double>(tiles);
}

// Moves tiles from the end of the range that takes longest to the device, so many that both devices end together.
bool TileShares::take_over(Device& device, double now) {
  Device* longest = nullptr;
  double most = 0;
  for (Device& other : devices_) {
    if (!other.is_alive || other.left() == 0) continue;
    const Forecast of_other = forecast(other, now);
    const double seconds = of_other.seconds_for(of_other.busy + other.left());
    if (longest != nullptr && seconds <= most) continue;
    longest = &other;
    most = seconds;
  }
  if (longest == nullptr) return false;
  const Forecast mine = forecast(device, now);
  const double begin = std::max(mine.seconds_for(mine.busy), mine.take_over_seconds);
  const double tiles = (most - begin) / (1 / mine.speed + 1 / forecast(*longest, now).speed);
  device.end = longest->end;
  longest->end -= static_cast<std::uint64_t>(std::clamp(tiles, 1.0, static_cast<double>(longest->left())));
  device.begin = longest->end;
  device.taken_over += device.left();
  device.has_taken_over = true;
  return true;
}

void TileShares::finished(std::size_t which, std::uint64_t tile, double now) {
  Device& device = devices_[which];
  std::erase(device.busy, tile);
  device.recent[device.done % device.recent.size()] = now - device.since;
  device.since = device.last = now;
  ++device.done;
  ++done_;
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
