#include "out_of_core/schedule.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "out_of_core/speeds.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright::detail {
namespace {

// The smallest tile that the model tries, unless the matrix is smaller.
constexpr std::uint64_t min_size = 32;

constexpr std::uint64_t any_memory = std::numeric_limits<std::uint64_t>::max();

std::uint64_t in_granules(std::uint64_t size) {
  const std::uint64_t granule = size >= 2048 ? 256 : size >= 256 ? 64 : 16;
  return (size + granule - 1) / granule * granule;
}

// Sizes that cut a dimension into parts of about the same size: few parts first, then more. Only `forced` if it is set.
std::vector<std::uint64_t> sizes_to_try(std::uint64_t all, std::uint64_t forced, std::uint64_t dense_parts) {
  if (forced > 0 || all == 0) return {std::min(std::max<std::uint64_t>(1, all), std::max<std::uint64_t>(1, forced))};
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t parts = 1;; parts += parts < dense_parts ? 1 : std::max<std::uint64_t>(1, parts / 3)) {
    const std::uint64_t size = std::min(all, parts == 1 ? all : in_granules((all + parts - 1) / parts));
    if (size < min_size) break;
    if (sizes.empty() || size < sizes.back()) sizes.push_back(size);
    if (size <= min_size) break;
  }
  const std::uint64_t least = std::min(all, min_size);
  if (sizes.empty() || sizes.back() > least) sizes.push_back(least);
  return sizes;
}

// Calls function(schedule) for every way to cut the product. Only the sizes of the schedule are set.
template <class Function>
void for_each_cut(const TileForm& form, const OutOfCoreOptions& options, TileTransfer transfer,
                  const Function& function) {
  const GemmProblem& p = form.problem;
  TileSizes forced = options.tile;
  if (form.is_swapped) std::swap(forced.m, forced.n);
  for (const std::uint64_t m : sizes_to_try(p.m, forced.m, 16))
    for (const std::uint64_t n : sizes_to_try(p.n, forced.n, 16))
      for (const std::uint64_t k : sizes_to_try(p.k, forced.k, 4)) {
        TileSchedule schedule{.transfer = transfer, .choice = options.choice, .tile = {m, n, k}};
        schedule.tiles_m = tile_count(p.m, m);
        schedule.tiles_n = tile_count(p.n, n);
        schedule.tiles_k = tile_count(p.k, k);
        function(schedule);
      }
}

// Schedules within this fraction count as equally fast. The one with more tiles is then better: it shows progress more
// often, and an interrupted product loses less.
constexpr double about_the_same = 0.01;

std::uint64_t wanted_tiles(double seconds) {
  constexpr double seconds_of_tile = 10;
  constexpr double least = 16, most = 1024;
  const double wanted = seconds / seconds_of_tile;
  return static_cast<std::uint64_t>(wanted > least ? std::min(wanted, most) : least);
}

bool is_better(const TileSchedule& one, const TileSchedule& other) {
  const double seconds = ranking_seconds(one), of_other = ranking_seconds(other);
  if (seconds < of_other * (1 - about_the_same)) return true;
  if (seconds > of_other * (1 + about_the_same)) return false;
  const std::uint64_t wanted = wanted_tiles(of_other);
  const std::uint64_t tiles = std::min(one.tiles(), wanted), others = std::min(other.tiles(), wanted);
  return tiles != others ? tiles > others : seconds < of_other;
}

struct Ranked {
  double seconds;
  TileSchedule schedule;
};

// Whether a tile has an efficient shape. Thinner tiles are slow on any device, and the model does not know how slow.
bool is_thick(const GemmProblem& p, const TileSizes& tile) {
  constexpr std::uint64_t enough = 256;
  return tile.m >= std::min(p.m, enough) && tile.n >= std::min(p.n, enough) && tile.k >= std::min(p.k, enough);
}

// Schedules that fit into the budget minus a reserve for workspaces, fastest first. Among about equally fast ones,
// schedules with enough tiles come first.
std::vector<Ranked> ranked(const TileCost& cost, const TileDevice& device, const OutOfCoreOptions& options,
                           TileTransfer transfer, std::uint64_t reserve) {
  std::vector<Ranked> result;
  const bool is_forced = options.tile.m + options.tile.n + options.tile.k > 0;
  for_each_cut(cost.form, options, transfer, [&](TileSchedule& schedule) {
    if (!is_forced && !is_thick(cost.form.problem, schedule.tile)) return;
    set_staging(cost.form, device, schedule);
    const std::uint64_t taken = schedule.staging_bytes + reserve;
    if (taken > device.memory) return;
    const bool staged = transfer != TileTransfer::in_place;
    // Kernels on the host's processor may pack B for each product. That is most of their workspace.
    if (!staged && tile_bytes(cost.form, schedule).b > device.memory - taken) return;
    for (const bool by_columns : {false, true}) {
      schedule.by_columns = by_columns;
      for (const std::uint64_t tiles : {2U, 1U}) {
        schedule.slots_c = std::min<std::uint64_t>(tiles, std::max<std::uint64_t>(1, schedule.tiles()));
        if (set_slots(cost.form, device, device.memory - taken, schedule))
          result.push_back({estimated_seconds(cost, schedule), schedule});
        if (!staged) return;
      }
    }
  });
  const auto is_faster = [](const Ranked& left, const Ranked& right) { return left.seconds < right.seconds; };
  std::stable_sort(result.begin(), result.end(), is_faster);
  if (result.empty()) return result;
  const double best = result.front().seconds;
  const auto other = std::find_if(result.begin(), result.end(),
                                  [&](const Ranked& one) { return one.seconds > best * (1 + about_the_same); });
  const std::uint64_t wanted = wanted_tiles(best);
  std::stable_sort(result.begin(), other, [&](const Ranked& left, const Ranked& right) {
    return std::min(left.schedule.tiles(), wanted) > std::min(right.schedule.tiles(), wanted);
  });
  return result;
}

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

[[noreturn]] void refuse(std::uint64_t memory, std::uint64_t least) {
  throw Error(ErrorCode::out_of_memory, "the product needs at least " + bytes_text(least) +
                                            " of device memory, but options.memory allows " + bytes_text(memory));
}

}  // namespace

TileTransfer tile_transfer(const DeviceProfile& device, TileTransfer wanted) {
  if (wanted != TileTransfer::automatic) return wanted;
  // Other devices that share the host's memory need aligned pointers, or make a copy.
  const bool is_host =
      device.type == DeviceType::cpu && !quirks_of(device.vendor).is_simulator && !device.aligned_buffers;
  return is_host ? TileTransfer::in_place : TileTransfer::staged;
}

TileDevice tile_device(const Engine& engine, const OutOfCoreOptions& options) {
  const DeviceProfile& profile = engine.profile();
  return {profile.max_allocation_bytes, options.memory > 0 ? options.memory : profile.global_memory_bytes / 10 * 9};
}

namespace {

// The smallest tiles, one slot for each operand, and chunks of one row.
struct LeastSchedule {
  TileSchedule schedule{};
  std::uint64_t memory = any_memory;
};

LeastSchedule min_schedule(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options) {
  const TileDevice tiny{engine.profile().max_allocation_bytes, 0};
  LeastSchedule least;
  std::uint64_t min_bytes = any_memory;
  for_each_cut(form, options, tile_transfer(engine.profile(), options.transfer), [&](TileSchedule& schedule) {
    if (!can_be_allocated(form, tiny, schedule)) return;
    set_staging(form, tiny, schedule);
    const TileBytes tile = tile_bytes(form, schedule);
    const std::uint64_t bytes = (schedule.tiles_k > 0 ? tile.a + tile.b : 0) + tile.c + schedule.staging_bytes;
    if (bytes >= min_bytes) return;
    min_bytes = bytes;
    least.schedule = schedule;
  });
  if (min_bytes == any_memory) {
    const bool is_forced = options.tile.m + options.tile.n + options.tile.k > 0;
    throw Error(is_forced ? ErrorCode::invalid_configuration : ErrorCode::out_of_memory,
                std::string(is_forced ? "tiles of these sizes" : "even the smallest tiles") +
                    " need a buffer of more than " + bytes_text(tiny.max_allocation) +
                    ", the most that the device allocates at once");
  }
  const std::uint64_t workspace = tile_workspace(engine, form, least.schedule);
  const bool in_place = least.schedule.transfer == TileTransfer::in_place;
  least.memory = std::max<std::uint64_t>(1, workspace + (in_place ? 0 : min_bytes));
  return least;
}

}  // namespace

std::uint64_t min_memory(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options) {
  if (options.speeds) check_speeds(*options.speeds, "options.speeds");
  return form.is_empty() ? 1 : min_schedule(engine, form, options).memory;
}

namespace {

// Predicts the schedules that the model ranks highest, and keeps the best that fits into the budget.
class ScheduleChoice {
 public:
  ScheduleChoice(const Engine& engine, const TileCost& cost, const TileDevice& device)
      : engine_(engine), cost_(cost), device_(device) {}

  // Returns the smallest workspace of the schedules that were looked at.
  std::uint64_t look_at(std::vector<Ranked>& all) {
    constexpr std::size_t most = 24;
    std::uint64_t min_workspace = any_memory, too_large = any_memory;
    std::size_t looked = 0;
    for (auto& [seconds, schedule] : all) {
      if (looked == most) break;
      // In place only the packed part of B needs memory. A schedule that packs as much as a rejected one cannot fit.
      const bool in_place = schedule.transfer == TileTransfer::in_place;
      const std::uint64_t packed = in_place ? tile_bytes(cost_.form, schedule).b : 0;
      if (packed >= too_large) continue;
      ++looked;
      schedule.workspace_bytes = tile_workspace(engine_, cost_.form, schedule);
      min_workspace = std::min(min_workspace, schedule.workspace_bytes);
      if (schedule.memory() <= device_.memory)
        take(schedule);
      else if (in_place)
        too_large = packed;
    }
    return min_workspace;
  }

  // Considers a schedule with as many slots as fit in addition to its workspace, and with chunks that suit a budget of
  // `memory`. Returns whether it fits.
  bool squeeze(TileSchedule schedule, std::uint64_t memory) {
    set_staging(cost_.form, {device_.max_allocation, memory}, schedule);
    schedule.slots_c = 1;
    schedule.workspace_bytes = tile_workspace(engine_, cost_.form, schedule);
    const std::uint64_t taken = schedule.staging_bytes + schedule.workspace_bytes;
    if (taken > device_.memory || !set_slots(cost_.form, device_, device_.memory - taken, schedule)) return false;
    take(schedule);
    return true;
  }

  const std::optional<TileSchedule>& best() const { return best_; }

 private:
  void take(TileSchedule& schedule) {
    predict(cost_, schedule);
    if (!best_ || is_better(schedule, *best_)) best_ = schedule;
  }

  const Engine& engine_;
  const TileCost& cost_;
  const TileDevice& device_;
  std::optional<TileSchedule> best_;
};

// For budgets that the workspaces nearly fill: tries a sample of all ways to cut, the largest tiles first.
void squeeze(ScheduleChoice& choice, const TileForm& form, const TileDevice& device, const OutOfCoreOptions& options,
             TileTransfer transfer) {
  std::vector<std::pair<std::uint64_t, TileSchedule>> cuts;
  for_each_cut(form, options, transfer, [&](const TileSchedule& schedule) {
    const TileBytes tile = tile_bytes(form, schedule);
    const bool in_place = transfer == TileTransfer::in_place;
    if ((in_place ? tile.b : tile.a + tile.b + tile.c) <= device.memory)
      cuts.emplace_back(tile.a + tile.b + tile.c, schedule);
  });
  std::stable_sort(cuts.begin(), cuts.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  constexpr std::size_t tried = 40;
  for (std::size_t i = 0; i < cuts.size(); i += std::max<std::size_t>(1, cuts.size() / tried))
    if (choice.squeeze(cuts[i].second, device.memory)) return;
}

}  // namespace

TileSchedule choose_schedule(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options) {
  if (options.speeds) check_speeds(*options.speeds, "options.speeds");
  if (form.is_empty()) return {};
  const TileDevice device = tile_device(engine, options);
  const TileTransfer transfer = tile_transfer(engine.profile(), options.transfer);
  const LeastSchedule least = min_schedule(engine, form, options);
  if (device.memory < least.memory) refuse(device.memory, least.memory);
  const TransferSpeeds speeds =
      limited_speeds(options.speeds ? *options.speeds : transfer_speeds(engine, form.problem.type));
  const TileCost cost{form, speeds, options.copy_threads};
  ScheduleChoice choice(engine, cost, device);
  // The workspace of a schedule is known only after it was looked at. The next round reserves that much.
  constexpr unsigned max_rounds = 4;
  std::uint64_t reserve = 0;
  for (unsigned round = 0; round < max_rounds && !choice.best(); ++round) {
    std::vector<Ranked> all = ranked(cost, device, options, transfer, reserve);
    if (all.empty()) break;
    const std::uint64_t workspace = choice.look_at(all);
    if (transfer == TileTransfer::in_place) break;
    reserve = std::max(reserve + workspace / 4, workspace);
  }
  if (!choice.best()) squeeze(choice, form, device, options, transfer);
  if (!choice.best()) choice.squeeze(least.schedule, 0);
  return *choice.best();
}

TileSchedule staged_instead(const Engine& engine, const TileForm& form, const OutOfCoreOptions& options,
                            const TileSchedule& in_place) {
  const TileSizes tile = swapped_like(form, in_place).tile;
  const std::uint64_t memory = tile_device(engine, options).memory, taken = in_place.workspace_bytes;
  OutOfCoreOptions other = options;
  other.transfer = TileTransfer::staged;
  other.tile.m = tile.m;
  other.tile.n = tile.n;
  other.memory = memory > taken ? memory - taken : 1;
  TileSchedule schedule = choose_schedule(engine, form, other);
  schedule.by_columns = in_place.by_columns;
  return schedule;
}

}  // namespace tilewright::detail

namespace tilewright {

TileSchedule schedule_out_of_core(const Engine& engine, const GemmProblem& problem, const OutOfCoreOptions& options) {
  return detail::translated([&] {
    const detail::TileForm form = detail::tile_form(problem);
    return detail::swapped_like(form, detail::choose_schedule(engine, form, options));
  });
}

std::uint64_t min_memory_out_of_core(const Engine& engine, const GemmProblem& problem,
                                     const OutOfCoreOptions& options) {
  return detail::translated([&] { return detail::min_memory(engine, detail::tile_form(problem), options); });
}

}  // namespace tilewright
