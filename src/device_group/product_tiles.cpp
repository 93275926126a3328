// Cuts one product into tiles. All devices use one grid of tiles.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "device_group/group_worker.hpp"
#include "device_group/tile_order.hpp"
#include "device_group/useful_devices.hpp"
#include "out_of_core/host_blocks.hpp"
#include "out_of_core/schedule.hpp"
#include "out_of_core/shared_chunks.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

class TileParts : public GroupParts {
 public:
  TileParts(const std::vector<Engine>& engines, const GemmProblem& problem, const HostOperands& operands,
            const DeviceGroupOptions& options, const std::vector<bool>& wanted)
      : members_(engines),
        problem_(problem),
        operands_(operands),
        options_(options),
        speeds_(engines.size()),
        wanted_(wanted),
        schedules_(engines.size()),
        reserve_(engines.size()) {
    members_.for_each([&](std::size_t device) {
      speeds_[device] = group_speeds(members_.engine(device), problem_.type, options_, device);
    });
    for (;;) {
      // Each round leaves out at least one device. The tile is then chosen again for the others.
      while (!choose_schedules(first_tile())) continue;
      choose_reserve();
      if (!wanted_.empty() || number_of(choice_.used) == members_.count()) break;
      wanted_ = choice_.used;  // tiles are cut again, for fewer devices
      reserve_.assign(reserve_.size(), false);
    }
    put_in_order();
  }

  const GroupMembers& members() const override { return members_; }
  std::uint64_t count() const override { return grid().tiles(); }

  std::vector<double> speeds() const override {
    std::vector<double> result = flops();
    const double flops_of_tile = work_of_all() / static_cast<double>(count());
    for (double& speed : result) speed /= flops_of_tile;
    return result;
  }

  std::vector<bool> reserve() const override { return reserve_; }
  std::string why_reserve(std::size_t device) const override { return choice_.reasons[device]; }
  const std::vector<DeviceSet>& sets() const override { return choice_.sets; }
  std::vector<std::uint64_t> ends() const override { return ends_; }

  std::vector<double> take_over_seconds() const override {
    std::vector<double> seconds(members_.size());
    for (std::size_t i = 0; i < seconds.size() && !ends_.empty(); ++i)
      for (const double rate : {speeds_[i].upload, host_rate_})
        if (rate > 0 && schedules_[i].transfer == TileTransfer::staged)
          seconds[i] = std::max(seconds[i], (line_bytes().row + line_bytes().column) / rate);
    return seconds;
  }

  double work_of(std::uint64_t part) const override {
    const ResultTile tile = tile_at(part);
    return static_cast<double>(tile.rows) * static_cast<double>(tile.columns) / static_cast<double>(problem_.m) /
           static_cast<double>(problem_.n);
  }

  std::string place_of(std::uint64_t part) const override {
    const ResultTile tile = tile_at(part);
    return "the tile at row " + std::to_string(tile.row) + ", column " + std::to_string(tile.column);
  }

  void restart(const HostOperands& operands) override {
    operands_ = operands;
    if (shared_) shared_->forget();
  }

  std::unique_ptr<GroupWorker> make_worker(std::size_t device) const override {
    return std::make_unique<Worker>(*this, device);
  }

 private:
  // Uses a second worker, which stages the tiles, for operands that the device cannot use in place.
  class Worker : public GroupWorker {
   public:
    Worker(const TileParts& parts, std::size_t device) : parts_(parts), device_(device) { begin(parts.operands_); }

    bool can_start() const override { return worker_->takes_tile(); }
    void start(std::uint64_t part) override { worker_->start(parts_.tile_at(part)); }
    bool poll() override { return worker_->poll(); }
    std::vector<std::uint64_t> take_finished() override { return numbers(worker_->take_finished()); }
    std::vector<std::uint64_t> partly_written() const override { return numbers(worker_->partly_written()); }
    TileStatistics statistics() const override { return worker_->statistics(); }
    bool restart(const HostOperands& operands) override {
      if (!worker_->idle()) return false;
      begin(operands);
      return true;
    }
    void rest() override {
      if (worker_->idle()) worker_->rest();
    }

   private:
    void begin(const HostOperands& operands) {
      try {
        begin(wished_, parts_.schedules_[device_], operands);
      } catch (const InterleavedTooFar&) {
        if (parts_.options_.transfer != TileTransfer::automatic) throw;
        begin(staged_, parts_.staged_schedule(device_), operands);
      }
    }

    void begin(std::unique_ptr<TileWorker>& worker, const TileSchedule& schedule, const HostOperands& operands) {
      if (worker)
        worker->restart(operands);
      else
        worker = std::make_unique<TileWorker>(parts_.members_.engine(device_), parts_.problem_, schedule, operands,
                                              parts_.options_.copy_threads, parts_.shared_);
      worker_ = worker.get();
    }

    std::vector<std::uint64_t> numbers(const std::vector<ResultTile>& tiles) const {
      std::vector<std::uint64_t> result;
      for (const ResultTile& tile : tiles) result.push_back(parts_.part_of_[tile.number]);
      return result;
    }

    const TileParts& parts_;
    std::size_t device_;
    std::unique_ptr<TileWorker> wished_, staged_;
    TileWorker* worker_ = nullptr;  // the one of these that this call uses
  };

  ResultTile tile_at(std::uint64_t part) const { return tile_of(problem_, grid(), order_[part]); }

  // Floating-point operations of the product.
  double work_of_all() const {
    return 2 * static_cast<double>(problem_.m) * static_cast<double>(problem_.n) *
           static_cast<double>(std::max<std::uint64_t>(1, problem_.k));
  }

  // Floating-point operations per second of each device; 0 if the device does not take part or waits in reserve.
  std::vector<double> flops() const {
    std::vector<double> result;
    for (std::size_t i = 0; i < members_.size(); ++i)
      result.push_back(members_.takes_part(i) && !reserve_[i] ? std::max(speeds_[i].flops, 1.0) : 0);
    return result;
  }

  // The fastest device that takes part.
  std::size_t fastest() const {
    const std::vector<double> all = flops();
    return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  }

  // A schedule with the grid of tiles. The schedules of all devices that take part have this grid.
  const TileSchedule& grid() const { return schedules_[grid_device_]; }

  // The tile to try first: small enough that all devices end at about the same time, but efficient on each device.
  TileSizes first_tile() {
    constexpr std::uint64_t tiles_for_each = 24;
    const std::uint64_t min_side = members_.are_cpus() ? 256 : 1024;
    TileSizes tile = preferred_tile();
    const std::uint64_t enough = tiles_for_each * (wanted_.empty() ? members_.count() : number_of(wanted_));
    const auto tiles = [&] { return ((problem_.m - 1) / tile.m + 1) * ((problem_.n - 1) / tile.n + 1); };
    while (is_free_to_cut() && tiles() < enough && halve(tile, min_side)) continue;
    // Products begin when the first slabs arrive. Slabs of this depth are nearly as fast as the full depth.
    constexpr std::uint64_t deep_enough = 4096;
    tile.k = options_.tile.k != 0 ? options_.tile.k : std::min(tile.k, deep_enough);
    return tile;
  }

  bool is_free_to_cut() const { return options_.tile.m == 0 && options_.tile.n == 0; }

  // The tile that the fastest device would choose for itself. Leaves out devices without room for any tile.
  TileSizes preferred_tile() {
    for (;;) {
      members_.require_one();
      const std::size_t device = fastest();
      try {
        return schedule_for(device, options_.tile).tile;
      } catch (const Error& error) {
        if (!has_no_room(error) && !is_device_failure(error)) throw;
        members_.exclude(device, error);
      }
    }
  }

  // Halves the tile until all devices have room for it. Leaves out a device that needs tiles so small that they cost
  // the others more than the device gains. Returns false if devices were left out.
  bool choose_schedules(TileSizes tile) {
    const std::size_t devices = members_.count();
    constexpr std::uint64_t min_shared_side = 64;
    for (;;) {
      const std::vector<std::optional<Error>> refusals = try_schedules(tile);
      const auto refused =
          std::count_if(refusals.begin(), refusals.end(), [](const auto& refusal) { return refusal.has_value(); });
      if (refused == 0) break;
      const bool has_room_somewhere = static_cast<std::size_t>(refused) < members_.count();
      if (is_free_to_cut() && halve(tile, has_room_somewhere ? min_shared_side : 1)) continue;
      for (std::size_t i = 0; i < refusals.size(); ++i)
        if (refusals[i]) members_.exclude(i, *refusals[i]);
      break;
    }
    members_.require_one();
    if (members_.count() < devices) return false;
    grid_device_ = fastest();
    const bool by_columns = grid().by_columns;
    for (TileSchedule& schedule : schedules_) schedule.by_columns = by_columns;
    return true;
  }

  // Makes each device's schedule. Returns the errors of devices without room for the tile; leaves out failed devices.
  std::vector<std::optional<Error>> try_schedules(const TileSizes& tile) {
    std::vector<std::optional<Error>> refusals(members_.size());
    members_.for_each([&](std::size_t device) {
      try {
        schedules_[device] = schedule_with_room(device, tile);
      } catch (const Error& error) {
        if (!has_no_room(error)) throw;
        refusals[device] = error;
      }
    });
    return refusals;
  }

  // Makes the slabs less deep if there is no room otherwise.
  TileSchedule schedule_with_room(std::size_t device, const TileSizes& tile) const {
    try {
      return schedule_for(device, tile);
    } catch (const Error& error) {
      if (!has_no_room(error) || tile.k == options_.tile.k) throw;
    }
    return schedule_for(device, {tile.m, tile.n, options_.tile.k});
  }

  void choose_reserve() {
    std::vector<PlannedDevice> devices;
    const std::vector<double> speeds = flops();
    for (std::size_t i = 0; i < speeds.size(); ++i)
      devices.push_back(
          {speeds[i], schedules_[i].transfer == TileTransfer::staged, speeds_[i].upload, speeds_[i].download});
    const double work = work_of_all();
    const auto copies = [&](const std::vector<bool>& used) { return copied_bytes(used); };
    const auto rate = [&, host_copy = speeds_[fastest()].host_copy](std::size_t staged) {
      return group_copy_rate(options_, host_copy, staged);
    };
    std::vector<bool> used = members_.taking_part_of(wanted_);
    if (used.empty()) used = useful_devices(devices, work, copies, rate);
    choice_ = choice_of_devices(devices, used, work, copies, rate);
    std::size_t staged = 0;
    for (std::size_t i = 0; i < used.size(); ++i) staged += used[i] && devices[i].is_staged ? 1U : 0U;
    host_rate_ = staged < 2 ? 0 : rate(staged) / static_cast<double>(staged);
    // Only now, because the forecasts depend on it.
    for (std::size_t i = 0; i < used.size(); ++i) reserve_[i] = !used[i] && members_.takes_part(i);
    grid_device_ = fastest();
  }

  // The cells that each device begins with, if it keeps what it uploads.
  std::vector<CellBlock> blocks(const std::vector<double>& flops) const {
    return blocks_of_grid(grid().tiles_m, grid().tiles_n, flops, line_bytes());
  }

  LineBytes line_bytes() const {
    const double k = static_cast<double>(problem_.k) * static_cast<double>(size_of(problem_.type));
    return {static_cast<double>(grid().tile.m) * k, static_cast<double>(grid().tile.n) * k};
  }

  // Returns the copies of a call that uses only some devices.
  GroupCopies copied_bytes(const std::vector<bool>& used) const {
    std::vector<double> speeds = flops();
    for (std::size_t i = 0; i < speeds.size(); ++i)
      if (!used[i]) speeds[i] = 0;
    const std::vector<CellBlock> cut = blocks(speeds);
    std::vector<bool> staged;
    for (const TileSchedule& schedule : schedules_) staged.push_back(schedule.transfer == TileTransfer::staged);
    const double of_tile = static_cast<double>(grid().tile.m) * static_cast<double>(grid().tile.n) *
                           static_cast<double>(size_of(problem_.type));
    return copies_of_blocks(cut, staged, line_bytes(), {group_reads_c(problem_, operands_) ? of_tile : 0, of_tile},
                            !growing_schedules(cut).empty());
  }

  // Chooses the order of the tiles. If all devices can keep everything they upload, each has a block of C, and the
  // order needs few slabs at first. Otherwise it is the schedule's order, which uploads little in total.
  void put_in_order() {
    const std::vector<CellBlock> cut = blocks(flops());
    const std::vector<TileSchedule> wished = growing_schedules(cut);
    order_.resize(grid().tiles());
    part_of_.resize(order_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!wished.empty()) {
      schedules_ = wished;
      const TileSchedule& schedule = grid();
      std::map<TileCell, std::uint64_t> numbers;
      for (const std::uint64_t number : order_) {
        const ResultTile tile = tile_of(problem_, schedule, number);
        numbers[{tile.row / schedule.tile.m, tile.column / schedule.tile.n}] = number;
      }
      order_.clear();
      for (const TileCell& cell : growing_order(cut)) order_.push_back(numbers.at(cell));
      for (const CellBlock& block : cut) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + block.cells());
      share_copies();
    }
    for (std::uint64_t part = 0; part < order_.size(); ++part) part_of_[order_[part]] = part;
  }

  // Schedules with slots for everything that a device uploads, and with more tiles at a time. Empty if a device lacks
  // the memory.
  std::vector<TileSchedule> growing_schedules(const std::vector<CellBlock>& cut) const {
    constexpr std::uint64_t tiles_at_once = 6;
    std::vector<TileSchedule> result = schedules_;
    for (std::size_t i = 0; i < result.size(); ++i) {
      TileSchedule& s = result[i];
      if (!members_.takes_part(i) || s.transfer == TileTransfer::in_place || s.tiles_k == 0) continue;
      // Two more lines, for tiles that are taken over from other devices.
      s.slots_a = std::max(s.slots_a, std::min(cut[i].rows + 2, s.tiles_m) * s.tiles_k);
      s.slots_b = std::max(s.slots_b, std::min(cut[i].columns + 2, s.tiles_n) * s.tiles_k);
      s.slots_c = std::max(s.slots_c, std::min(tiles_at_once, s.tiles()));
      s.tile_bytes = slab_bytes(s.tile.m, s.tile.k) * s.slots_a + slab_bytes(s.tile.k, s.tile.n) * s.slots_b +
                     slab_bytes(s.tile.m, s.tile.n) * s.slots_c;
      if (s.memory() > memory_of(members_.engine(i))) return {};
    }
    return result;
  }

  // Lets several devices get the same parts of A and B through the same pinned memory.
  void share_copies() {
    std::vector<std::size_t> staged;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (members_.takes_part(i) && !reserve_[i] && schedules_[i].transfer == TileTransfer::staged) staged.push_back(i);
    if (staged.size() < 2) return;
    const Engine& owner = members_.engine(staged.front());
    const TileSchedule& schedule = schedules_[staged.front()];
    const double operands = line_bytes().of({.rows = schedule.tiles_m, .columns = schedule.tiles_n});
    shared_ = make_shared_chunks(owner, schedule.chunk_bytes, operands, memory_of(owner) - schedule.memory());
  }

  std::uint64_t memory_of(const Engine& engine) const {
    return options_.memory != 0 ? options_.memory : engine.profile().global_memory_bytes / 10 * 9;
  }

  // Upper bound for the bytes of a slab: rows on the device are padded to whole vectors.
  std::uint64_t slab_bytes(std::uint64_t rows, std::uint64_t columns) const {
    constexpr std::uint64_t vector = 16;
    return (rows + vector) * (columns + vector) * size_of(problem_.type);
  }

  TileSchedule schedule_for(std::size_t device, const TileSizes& tile) const {
    return schedule_out_of_core(members_.engine(device), problem_, options_for(device, tile));
  }

  TileSchedule staged_schedule(std::size_t device) const {
    const TileForm form = tile_form(problem_);
    return swapped_like(form, staged_instead(members_.engine(device), form, options_for(device, options_.tile),
                                             swapped_like(form, schedules_[device])));
  }

  OutOfCoreOptions options_for(std::size_t device, const TileSizes& tile) const {
    return {.memory = options_.memory,
            .copy_threads = options_.copy_threads,
            .transfer = options_.transfer,
            .tile = tile,
            .speeds = speeds_[device]};
  }

  GroupMembers members_;
  GemmProblem problem_;
  HostOperands operands_;
  DeviceGroupOptions options_;
  std::vector<TransferSpeeds> speeds_;
  std::vector<bool> wanted_;
  std::vector<TileSchedule> schedules_;
  DeviceChoice choice_;
  double host_rate_ = 0;       // bytes per second that each device can copy in host memory; 0: unknown
  std::vector<bool> reserve_;  // devices that would not make the call faster
  std::size_t grid_device_ = 0;
  std::vector<std::uint64_t> order_;    // number of each part in the schedules
  std::vector<std::uint64_t> part_of_;  // part of each number
  std::shared_ptr<SharedChunks> shared_;
  std::vector<std::uint64_t> ends_;  // of each device's first parts; empty: in proportion to the speeds
};

}  // namespace

std::unique_ptr<GroupParts> tiles_of_product(const std::vector<Engine>& engines, const GemmProblem& problem,
                                             const HostOperands& operands, const DeviceGroupOptions& options,
                                             const std::vector<bool>& wanted) {
  return std::make_unique<TileParts>(engines, problem, operands, options, wanted);
}

}  // namespace tilewright::detail
