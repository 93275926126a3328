// The tiles of one product, cut alike for all devices.
#include <algorithm>
#include <string>
#include <utility>

#include "device_group/group_worker.hpp"
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
    const ResultTile tile = tile_of(problem_, schedules_.front(), part);
    return static_cast<double>(tile.rows) * static_cast<double>(tile.columns) / static_cast<double>(problem_.m) /
           static_cast<double>(problem_.n);
  }

  std::string place_of(std::uint64_t part) const override {
    const ResultTile tile = tile_of(problem_, schedules_.front(), part);
    return "the tile at row " + std::to_string(tile.row) + ", column " + std::to_string(tile.column);
  }

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
    void start(std::uint64_t part) override {
      worker_.start(tile_of(parts_.problem_, parts_.schedules_.front(), part));
    }
    bool poll() override { return worker_.poll(); }
    std::vector<std::uint64_t> take_finished() override { return numbers(worker_.take_finished()); }
    std::vector<std::uint64_t> partly_written() const override { return numbers(worker_.partly_written()); }
    TileWorker::Statistics statistics() const override { return worker_.statistics(); }

   private:
    static std::vector<std::uint64_t> numbers(const std::vector<ResultTile>& tiles) {
      std::vector<std::uint64_t> result;
      for (const ResultTile& tile : tiles) result.push_back(tile.number);
      return result;
    }

    const TileParts& parts_;
    TileWorker worker_;
  };

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
    tile.k = options_.tile.k;
    while (!schedule_all(tile))
      if (!halve(tile, 1)) schedule_for(fastest(), tile);  // throws what is wrong
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

  const std::vector<Engine>& engines_;
  GemmProblem problem_;
  HostOperands operands_;
  const DeviceGroupOptions& options_;
  std::vector<TransferSpeeds> speeds_;
  std::vector<TileSchedule> schedules_;
};

}  // namespace

std::unique_ptr<GroupParts> tiles_of_product(const std::vector<Engine>& engines, const GemmProblem& problem,
                                             const HostOperands& operands, const DeviceGroupOptions& options) {
  return std::make_unique<TileParts>(engines, problem, operands, options);
}

}  // namespace tilewright::detail
