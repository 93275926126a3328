#include "device_group/simulated_group.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "device_group/portions.hpp"
#include "device_group/shares.hpp"

namespace tilewright::test {
namespace {

class Simulator {
 public:
  explicit Simulator(const SimulatedGroup& group)
      : group_(group),
        ends_(group.ends.empty() ? detail::portion_ends(group.tiles, expected(group)) : group.ends),
        shares_(group.tiles, expected(group), {}, ends_, take_over(group)),
        states_(group.devices.size()),
        begun_(group.tiles),
        done_(group.tiles) {
    constexpr double polls = 60;
    shortest_poll_ = group.optimum() / polls;
  }

  SimulatedCall run() {
    while (!shares_.is_over() && shares_.has_device()) {
      if (++events_ > max_events()) FAIL("the call does not end");
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < states_.size(); ++i) moved |= step(i);
        if (moved) moved_at_ = now_;
      }
      if (shares_.is_over() || !shares_.has_device()) break;
      check_no_needless_wait();
      advance();
    }
    check_tiles();
    for (std::size_t i = 0; i < states_.size(); ++i) call_.done_by.push_back(shares_.done_by(i));
    call_.done = shares_.done();
    call_.has_device = shares_.has_device();
    return call_;
  }

 private:
  struct State {
    bool is_alive = true;
    std::vector<std::uint64_t> begun{};
    std::vector<double> ready_at{};  // when the operands of these tiles are there
    double left = 0;                 // part of the first tile that is not computed
    double rate = 0;                 // tiles per second
  };

  static std::vector<double> expected(const SimulatedGroup& group) {
    std::vector<double> result;
    for (const SimulatedDevice& device : group.devices) result.push_back(device.expected);
    return result;
  }

  static std::vector<double> take_over(const SimulatedGroup& group) {
    std::vector<double> result;
    for (const SimulatedDevice& device : group.devices) result.push_back(device.take_over);
    return result;
  }

  bool is_of_range(std::uint64_t tile, std::size_t device) const {
    return tile < ends_[device] && (device == 0 || tile >= ends_[device - 1]);
  }

  std::uint64_t max_events() const { return 100'000 + 8 * (group_.tiles + group_.devices.size()); }

  bool step(std::size_t i) {
    const SimulatedDevice& device = group_.devices[i];
    State& state = states_[i];
    if (!state.is_alive || now_ < std::min(device.begins_at, device.fails_at)) return false;
    if (now_ >= device.fails_at) return fail(i);
    bool moved = false;
    if (!state.begun.empty() && state.left <= 0) {
      const std::uint64_t tile = state.begun.front();
      state.begun.erase(state.begun.begin());
      state.ready_at.erase(state.ready_at.begin());
      state.left = 1;
      shares_.finished(i, tile, now_);
      ++done_[tile];
      call_.seconds = now_;
      moved = true;
    }
    while (state.begun.size() < device.room) {
      const auto tile = shares_.next(i, now_);
      if (!tile) break;
      if (*tile >= group_.tiles || begun_[*tile] != 0 || done_[*tile] != 0)
        FAIL("tile ", *tile, " is assigned although it does not exist, is done, or another device computes it");
      begun_[*tile] = 1;
      if (state.begun.empty()) state.left = 1;
      state.begun.push_back(*tile);
      state.ready_at.push_back(is_of_range(*tile, i) ? now_ : now_ + device.take_over);
      moved = true;
    }
    return moved;
  }

  bool fail(std::size_t i) {
    State& state = states_[i];
    state.is_alive = false;
    std::vector<std::uint64_t> lost;
    for (const std::uint64_t tile : state.begun) begun_[tile] = 0;
    if (group_.loses_tiles && !state.begun.empty()) lost.push_back(state.begun.front());
    call_.lost += lost.size();
    shares_.failed(i, lost);
    state.begun.clear();
    state.ready_at.clear();
    return true;
  }

  // Devices get equal parts of the host's rate, and leave to others what they do not need.
  void set_rates() {
    std::vector<std::size_t> busy;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i].rate = 0;
      if (!states_[i].begun.empty() && now_ >= states_[i].ready_at.front()) busy.push_back(i);
    }
    const auto speed = [&](std::size_t i) { return group_.devices[i].speed_at(now_); };
    std::sort(busy.begin(), busy.end(), [&](std::size_t a, std::size_t b) { return speed(a) < speed(b); });
    double rate = group_.host_rate;
    for (std::size_t x = 0; x < busy.size(); ++x) {
      const double part = rate / static_cast<double>(busy.size() - x);
      states_[busy[x]].rate = std::min(speed(busy[x]), part);
      rate -= states_[busy[x]].rate;
    }
  }

  // Goes on to the next event.
  void advance() {
    set_rates();
    double next = never;
    bool is_idle = false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const SimulatedDevice& device = group_.devices[i];
      if (!states_[i].is_alive) continue;
      for (const double time : {device.begins_at, device.fails_at, device.changes_at})
        if (time > now_) next = std::min(next, time);
      if (!states_[i].begun.empty() && states_[i].ready_at.front() > now_)
        next = std::min(next, states_[i].ready_at.front());
      if (states_[i].rate > 0) next = std::min(next, now_ + states_[i].left / states_[i].rate);
      is_idle = is_idle || (states_[i].begun.empty() && now_ >= device.begins_at);
    }
    // Drivers poll idle devices, less often the longer nothing happens.
    if (is_idle) next = std::min(next, now_ + std::max(shortest_poll_, (now_ - moved_at_) / 8));
    if (!(next < never)) FAIL("nothing happens any more, but tiles are left");
    for (State& state : states_) {
      if (!(state.rate > 0)) continue;
      const bool is_finished = now_ + state.left / state.rate <= next;
      state.left = is_finished ? 0 : state.left - (next - now_) * state.rate;
    }
    now_ = next;
  }

  // If no device is busy, tiles are left only for devices that are late.
  void check_no_needless_wait() const {
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (states_[i].is_alive && (!states_[i].begun.empty() || now_ < group_.devices[i].begins_at)) return;
    FAIL_CHECK("all devices wait, but tiles are left");
  }

  void check_tiles() const {
    const auto done = static_cast<std::uint64_t>(std::count(done_.begin(), done_.end(), 1U));
    CHECK(std::none_of(done_.begin(), done_.end(), [](unsigned times) { return times > 1; }));
    CHECK(done == shares_.done());
    if (shares_.has_device()) CHECK(done + call_.lost == group_.tiles);
    std::uint64_t by_all = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) by_all += shares_.done_by(i);
    CHECK(by_all == done);
  }

  const SimulatedGroup& group_;
  std::vector<std::uint64_t> ends_;
  detail::TileShares shares_;
  std::vector<State> states_;
  std::vector<unsigned> begun_, done_;
  SimulatedCall call_;
  double now_ = 0, moved_at_ = 0, shortest_poll_ = 1;
  std::uint64_t events_ = 0;
};

}  // namespace

double SimulatedDevice::tiles_until(double now) const {
  const double until = std::min(now, fails_at);
  const double before = std::max(0.0, std::min(until, changes_at) - begins_at);
  const double after = std::max(0.0, until - std::max(begins_at, changes_at));
  constexpr double rounding = 1e-9;
  return std::floor(before * speed + (after > 0 ? after * later_speed : 0) + rounding);
}

double SimulatedGroup::optimum() const {
  const auto is_done = [&](double now) {
    double sum = 0;
    for (const SimulatedDevice& device : devices) sum += device.tiles_until(now);
    return sum >= static_cast<double>(tiles);
  };
  double most = 1e-6;
  while (!is_done(most) && most < 1e30) most *= 2;
  double least = most / 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (least + most) / 2;
    (is_done(middle) ? most : least) = middle;
  }
  return std::max(most, static_cast<double>(tiles) / host_rate);
}

SimulatedCall simulate(const SimulatedGroup& group) { return Simulator(group).run(); }

}  // namespace tilewright::test
