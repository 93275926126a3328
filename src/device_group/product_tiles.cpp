// The tiles of one product, cut alike for all devices.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "device_group/group_worker.hpp"
#include "device_group/tile_order.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

class TileParts : public GroupParts {
 public:
  TileParts(const std::vector<Engine>& engines, const GemmProblem& problem, const HostOperands& operands,
            const DeviceGroupOptions& options)
      : engines_(engines), problem_(problem), operands_(operands), options_(options) {
    for (std::size_t i = 0; i < engines.size(); ++i)
      speeds_.push_back(options.speeds.empty() ? transfer_speeds(engines[i], problem.type) : options.speeds[i]);
    cut();
  }

  std::uint64_t count() const override { return schedules_.front().tiles(); }

  std::vector<double> speeds() const override {
    std::vector<double> result;
    const double flops = 2 * static_cast<double>(problem_.m) * static_cast<double>(problem_.n) *
                         static_cast<double>(std::max<std::uint64_t>(1, problem_.k)) / static_cast<double>(count());
    for (const TransferSpeeds& speeds : speeds_) result.push_back(std::max(speeds.flops, 1.0) / flops);
    return result;
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

  void restart(const HostOperands& operands) override { operands_ = operands; }

  std::unique_ptr<GroupWorker> make_worker(std::size_t device) const override {
    return std::make_unique<Worker>(*this, device);
  }

 private:
  class Worker : public GroupWorker {
   public:
    Worker(const TileParts& parts, std::size_t device)
        : parts_(parts),
          worker_(parts.engines_[device], parts.problem_, parts.schedules_[device], parts.operands_,
                  parts.options_.copy_threads) {}

    bool takes_part() const override { return worker_.takes_tile(); }
    void start(std::uint64_t part) override { worker_.start(parts_.tile_at(part)); }
    bool poll() override { return worker_.poll(); }
    std::vector<std::uint64_t> take_finished() override { return numbers(worker_.take_finished()); }
    std::vector<std::uint64_t> partly_written() const override { return numbers(worker_.partly_written()); }
    TileWorker::Statistics statistics() const override { return worker_.statistics(); }
    bool restart(const HostOperands& operands) override {
      if (!worker_.idle()) return false;
      worker_.restart(operands);
      return true;
    }
    void rest() override {
      if (worker_.idle()) worker_.rest();
    }

   private:
    std::vector<std::uint64_t> numbers(const std::vector<ResultTile>& tiles) const {
      std::vector<std::uint64_t> result;
      for (const ResultTile& tile : tiles) result.push_back(parts_.part_of_[tile.number]);
      return result;
    }

    const TileParts& parts_;
    TileWorker worker_;
  };

  ResultTile tile_at(std::uint64_t part) const { return tile_of(problem_, schedules_.front(), order_[part]); }

  std::size_t fastest() const {
    const auto most =
        std::max_element(speeds_.begin(), speeds_.end(),
                         [](const TransferSpeeds& x, const TransferSpeeds& y) { return x.flops < y.flops; });
    return static_cast<std::size_t>(most - speeds_.begin());
  }

  // So many tiles that the end is shared out well, but none that is too small for a device.
  void cut() {
    constexpr std::uint64_t tiles_for_each = 24;
    const bool has_gpu = std::any_of(engines_.begin(), engines_.end(),
                                     [](const Engine& engine) { return engine.profile().type != DeviceType::cpu; });
    const std::uint64_t least_side = has_gpu ? 1024 : 256;
    TileSizes tile = schedule_for(fastest(), options_.tile).tile;
    const std::uint64_t enough = tiles_for_each * engines_.size();
    const auto tiles = [&] { return ((problem_.m - 1) / tile.m + 1) * ((problem_.n - 1) / tile.n + 1); };
    while (options_.tile.m == 0 && options_.tile.n == 0 && tiles() < enough && halve(tile, least_side)) {
    }
    // Products begin as soon as the first slabs are there; so deep they are nearly as fast as without slabs.
    constexpr std::uint64_t deep_enough = 4096;
    tile.k = options_.tile.k != 0 ? options_.tile.k : std::min(tile.k, deep_enough);
    while (!schedule_all(tile))
      if (!halve(tile, 1)) schedule_for(fastest(), tile);  // throws what is wrong
    put_in_order();
  }

  // Where all devices can keep what they upload, tiles come in an order in which that is little at first; else in that
  // of the schedule, which uploads little in all.
  void put_in_order() {
    const std::vector<TileSchedule> wished = growing_schedules();
    order_.resize(schedules_.front().tiles());
    part_of_.resize(order_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!wished.empty()) {
      schedules_ = wished;
      const TileSchedule& schedule = schedules_.front();
      std::map<TileCell, std::uint64_t> numbers;
      for (const std::uint64_t number : order_) {
        const ResultTile tile = tile_of(problem_, schedule, number);
        numbers[{tile.row / schedule.tile.m, tile.column / schedule.tile.n}] = number;
      }
      order_.clear();
      for (const TileCell& cell : growing_order(schedule.tiles_m, schedule.tiles_n, flops()))
        order_.push_back(numbers.at(cell));
    }
    for (std::uint64_t part = 0; part < order_.size(); ++part) part_of_[order_[part]] = part;
  }

  // The schedules with room for all that a device is to upload, and more tiles at a time; none where one has not.
  std::vector<TileSchedule> growing_schedules() const {
    constexpr std::uint64_t tiles_at_once = 6;
    std::vector<TileSchedule> result = schedules_;
    for (std::size_t i = 0; i < result.size(); ++i) {
      TileSchedule& s = result[i];
      if (s.transfer == TileTransfer::in_place) continue;
      const bool by_rows = s.tiles_m >= s.tiles_n;
      const std::uint64_t slabs = std::max<std::uint64_t>(1, s.tiles_k);
      const std::uint64_t rows = by_rows ? widest_band(s.tiles_m, flops()) : s.tiles_m;
      const std::uint64_t columns = by_rows ? s.tiles_n : widest_band(s.tiles_n, flops());
      // Two lines more, for what is taken over from others.
      s.slots_a = std::max(s.slots_a, std::min(rows + 2, s.tiles_m) * slabs);
      s.slots_b = std::max(s.slots_b, std::min(columns + 2, s.tiles_n) * slabs);
      s.slots_c = std::max(s.slots_c, std::min(tiles_at_once, s.tiles()));
      s.tile_bytes = slab_bytes(s.tile.m, s.tile.k) * s.slots_a + slab_bytes(s.tile.k, s.tile.n) * s.slots_b +
                     slab_bytes(s.tile.m, s.tile.n) * s.slots_c;
      const std::uint64_t all = engines_[i].profile().global_memory_bytes / 10 * 9;
      if (s.memory() > (options_.memory != 0 ? options_.memory : all)) return {};
    }
    return result;
  }

  // Rows in the device's memory are whole vectors, whichever way the matrix is stored.
  std::uint64_t slab_bytes(std::uint64_t rows, std::uint64_t columns) const {
    constexpr std::uint64_t vector = 16;
    return (rows + vector) * (columns + vector) * size_of(problem_.type);
  }

  std::vector<double> flops() const {
    std::vector<double> result;
    for (const TransferSpeeds& speeds : speeds_) result.push_back(std::max(speeds.flops, 1.0));
    return result;
  }

  // The longer side. False where it would be shorter than `least`.
  static bool halve(TileSizes& tile, std::uint64_t least) {
    std::uint64_t& side = tile.m >= tile.n ? tile.m : tile.n;
    constexpr std::uint64_t whole = 16;
    const std::uint64_t half = side > 2 * whole ? (side / 2 + whole - 1) / whole * whole : side / 2;
    if (half < std::max<std::uint64_t>(1, least)) return false;
    side = half;
    return true;
  }

  TileSchedule schedule_for(std::size_t device, const TileSizes& tile) const {
    return schedule_out_of_core(engines_[device], problem_,
                                {.memory = options_.memory,
                                 .copy_threads = options_.copy_threads,
                                 .transfer = options_.transfer,
                                 .tile = tile,
                                 .speeds = speeds_[device]});
  }

  // False where a device has no room for such tiles.
  bool schedule_all(const TileSizes& tile) {
    schedules_.clear();
    try {
      for (std::size_t i = 0; i < engines_.size(); ++i) schedules_.push_back(schedule_for(i, tile));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory || options_.tile.m != 0 || options_.tile.n != 0) throw;
      return false;
    }
    for (TileSchedule& schedule : schedules_) schedule.by_columns = schedules_[fastest()].by_columns;
    return true;
  }

  std::vector<Engine> engines_;
  GemmProblem problem_;
  HostOperands operands_;
  DeviceGroupOptions options_;
  std::vector<TransferSpeeds> speeds_;
  std::vector<TileSchedule> schedules_;
  std::vector<std::uint64_t> order_;    // the schedules' number of each part
  std::vector<std::uint64_t> part_of_;  // and the other way round
};

}  // namespace

std::unique_ptr<GroupParts> tiles_of_product(const std::vector<Engine>& engines, const GemmProblem& problem,
                                             const HostOperands& operands, const DeviceGroupOptions& options) {
  return std::make_unique<TileParts>(engines, problem, operands, options);
}

}  // namespace tilewright::detail
